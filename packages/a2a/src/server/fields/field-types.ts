import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { parseBounded } from "@troupe/core";
import { z } from "zod";

/*
 * The types of fields that both versions of the protocol have. Its SDK takes them as they come: it writes
 * `[object Object]` for an id, or stumbles somewhere between its own code and ours. What a value may be
 * beyond its type is told by whoever reads it, and so are fields that are not there but have to be.
 */

export const text = z.string().nullish();
/** Bytes in base64, also as URLs have it and without padding. `Buffer` drops what is none without a word. */
export const base64 = z.string().refine(isBase64, {
  error: "is no base64; encode the bytes of the file as base64",
});
export const texts = z.array(z.string()).nullish();
export const flag = z.boolean().nullish();
export const fields = z.looseObject({}).nullish();
/** ProtoJSON has whole numbers as text too. */
export const count = z.union([z.number(), text]);
/** Enums by name or by number. */
export const choice = z.union([z.string(), z.number()]).nullish();

function isBase64(value: string): boolean {
  const [digits = "", rest] = value.replace(/\s+/g, "").split(/(={1,2})$/);
  const padded = rest === undefined || (digits.length + rest.length) % 4 === 0;
  return padded && digits.length % 4 !== 1 && /^[A-Za-z0-9+/_-]*$/.test(digits);
}

/** Fields as ProtoJSON reads them: `taskId` and `task_id`. */
export function inBothCases<T extends z.ZodType>(
  type: T,
  ...names: readonly string[]
): { [name: string]: T } {
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(names.flatMap((name) => [name, snake(name)].map((each) => [each, type])));
}

/** A schema says all that is wrong with a list, however long; longer ones are looked at one by one. */
const LONG = 100;

/** @throws RequestMalformedError that names the fields of another type */
export function checkFields(schema: z.ZodType, value: unknown, of: { version: string; root: string }): void {
  if (!hasLongList(value, 3) && schema.safeParse(value).success) return;
  const parsed = parseBounded(schema, value, of.root);
  if (!parsed.ok)
    throw new RequestMalformedError(`This is no call of A2A ${of.version}: ${parsed.issues.join("; ")}.`);
}

function hasLongList(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.length > LONG;
  if (depth === 0) return false;
  for (const name in value)
    if (hasLongList((value as { readonly [name: string]: unknown })[name], depth - 1)) return true;
  return false;
}
