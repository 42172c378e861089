import { z } from "zod";

import { clip } from "../text/clip.ts";
import { describeIssue, meantIssues } from "../tools/define-tool.ts";
import { dictionaryValue } from "./dictionary.ts";

/** Problems that are told; whoever has more of them mends these first. */
const MAX_PROBLEMS = 10;
const MAX_FIELDS = 50;
/** Of one problem: it may name every key that there should not be. */
const MAX_CHARS = 300;

/**
 * Parses what a stranger sent. A schema itself goes on to the end of a list and gathers what is wrong
 * with each entry, which takes many times as long as a list that is right, and an answer as long as the
 * list: here it stops at the tenth problem. What fits is parsed as ever.
 *
 * @param root what to call the value itself
 */
export function parseBounded<T>(
  schema: z.ZodType<T>,
  value: unknown,
  root: string,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly string[] } {
  const found: string[] = [];
  gather(schema, value, { path: [], root, found });
  if (found.length > 0) return { ok: false, issues: found };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  // Of a whole alone, such as too many entries.
  return {
    ok: false,
    issues: parsed.error.issues
      .flatMap(meantIssues)
      .slice(0, MAX_PROBLEMS)
      .map((issue) => told(issue, root)),
  };
}

interface Gathered {
  /** To the value in hand. */
  readonly path: PropertyKey[];
  readonly root: string;
  readonly found: string[];
}

/** Looks at the entries of lists and objects one by one; anything else is left to its schema. */
function gather(schema: z.core.$ZodType, value: unknown, into: Gathered): void {
  const enter = (key: PropertyKey, entry: z.core.$ZodType, inner: unknown): boolean => {
    into.path.push(key);
    gather(entry, inner, into);
    into.path.pop();
    return into.found.length < MAX_PROBLEMS;
  };
  const inner = withoutWrap(schema, value);
  const entry = dictionaryValue(inner);
  const object = isObject(value) && !isSmall(value) ? value : undefined;
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    value.every((entry: unknown, at) => enter(at, inner.element, entry));
  } else if (inner instanceof z.ZodUnion && Array.isArray(value) && listIn(inner) !== undefined) {
    gather(listIn(inner) ?? inner, value, into);
  } else if (entry !== undefined && object !== undefined) {
    for (const key in object) if (!enter(key, entry, object[key])) return;
  } else if (inner instanceof z.ZodRecord && object !== undefined) {
    // zod passes over an own `__proto__`.
    for (const key in object) if (key !== "__proto__" && !enter(key, inner.valueType, object[key])) return;
  } else if (inner instanceof z.ZodObject && object !== undefined) {
    for (const [key, field] of Object.entries(inner.shape)) {
      const absent = !Object.hasOwn(object, key);
      if (absent && (field instanceof z.ZodOptional || field instanceof z.ZodExactOptional)) continue;
      if (!enter(key, field, object[key])) return;
    }
  } else {
    const parsed = z.safeParse(inner, value);
    for (const issue of (parsed.error?.issues ?? []).flatMap(meantIssues))
      if (into.found.length < MAX_PROBLEMS)
        into.found.push(told({ ...issue, path: [...into.path, ...issue.path] }, into.root));
  }
}

function told(issue: z.core.$ZodIssue, root: string): string {
  return clip(describeIssue(issue, root), MAX_CHARS);
}

/** What a value that is there has to keep to. */
function withoutWrap(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (value === undefined || value === null) return schema;
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable;
  return wraps ? withoutWrap(schema.unwrap(), value) : schema;
}

/** The member of a union that takes a list, where no other one can. */
function listIn({ options }: z.ZodUnion): z.ZodArray | undefined {
  const [list, ...others] = options.filter((option) => !isScalar(option));
  return others.length === 0 && list instanceof z.ZodArray ? list : undefined;
}

function isScalar(schema: z.core.$ZodType): boolean {
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull, z.ZodLiteral].some(
    (scalar) => schema instanceof scalar,
  );
}

/** A few fields, none of which holds more: little can be wrong with it, and it is checked sooner as one. */
function isSmall(value: { readonly [key: string]: unknown }): boolean {
  let fields = 0;
  for (const key in value)
    if (++fields > MAX_FIELDS || (typeof value[key] === "object" && value[key] !== null)) return false;
  return true;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
