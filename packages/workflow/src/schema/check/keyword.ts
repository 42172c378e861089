import type { Json, JsonObject } from "@troupe/stream";

import type { Check } from "./walk.ts";

/** Why a schema cannot be used, as it is said of it: "has ...", "cannot be used: ...". */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** Where a keyword stands. */
export interface Place {
  /** Its own name. */
  readonly name: string;
  /** The schema it stands in: some keywords depend on others. */
  readonly schema: JsonObject;
  /** The check of a schema further in. */
  readonly check: (schema: Json) => Check;
}

/** What turns the operand of a keyword into a check. Throws a `SchemaError` for one it cannot have. */
export type Keyword = (operand: Json, place: Place) => Check;

/** By name. */
export type Keywords = { readonly [name: string]: Keyword };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function listOf(operand: Json, { name }: Place): readonly Json[] {
  if (isList(operand) && operand.length > 0) return operand;
  throw new SchemaError(`cannot be used: "${name}" must be a list with entries`);
}

export function objectOf(operand: Json, { name }: Place): JsonObject {
  if (isObject(operand)) return operand;
  throw new SchemaError(`cannot be used: "${name}" must be an object`);
}

export function numberOf(operand: Json, { name }: Place): number {
  if (typeof operand === "number") return operand;
  throw new SchemaError(`cannot be used: "${name}" must be a number`);
}

/** Says nothing. */
export const anything: Check = () => true;
