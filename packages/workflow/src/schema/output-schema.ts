import { isTooDeep, MAX_JSON_DEPTH, type Json, type JsonObject } from "@troupe/stream";

import { compileSchema, type SchemaLimits } from "./check/compile-schema.ts";
import { SchemaError } from "./check/keyword.ts";

/** A schema of a workflow that begins. Far more than a model can be asked to keep to. */
const SCHEMA_LIMITS: SchemaLimits = { alternatives: 100, depth: 32 };

/** One that a run was begun with stays as it is. */
const NO_LIMITS: SchemaLimits = { alternatives: Infinity, depth: Infinity };

/** Why a schema cannot be used for answers; undefined when it can. */
export function schemaProblem(schema: JsonObject): string | undefined {
  try {
    compileSchema(schema, SCHEMA_LIMITS);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) return `output_schema ${error.message}`;
    throw error;
  }
}

/**
 * Says what is wrong with a value: the first ten problems and how many more there are, nothing when it fits.
 * Throws when the schema cannot be used.
 */
export function outputCheck(schema: JsonObject): (value: Json) => readonly string[] {
  const check = compileSchema(schema, NO_LIMITS);
  return (value) =>
    isTooDeep(value) ? [`the answer is nested more than ${MAX_JSON_DEPTH} levels deep`] : check(value);
}
