import { describeIssues } from "@troupe/core";
import type { Json, JsonObject } from "@troupe/stream";
import { z } from "zod";

/** Keywords with values, not schemas, in them. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
/** Keywords with schemas by name. */
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
/** A pattern can keep the process busy for minutes over a few characters; references may lead anywhere. */
const REFUSED: ReadonlySet<string> = new Set(["pattern", "patternProperties", "$ref", "$dynamicRef"]);

/** Why a schema cannot be used for answers; undefined when it can. */
export function schemaProblem(schema: JsonObject): string | undefined {
  const keyword = refusedIn(schema);
  if (keyword !== undefined)
    return `output_schema has "${keyword}", which is not supported; describe the answer without it`;
  try {
    outputCheck(schema);
    return undefined;
  } catch (error) {
    return `output_schema cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Says what is wrong with a value; nothing when it fits. Throws when the schema cannot be used. */
export function outputCheck(schema: JsonObject): (value: Json) => readonly string[] {
  // A registry of its own: ids in one schema must not meet those of another.
  const converted = z.fromJSONSchema(schema, { registry: z.registry() });
  return (value) => {
    const parsed = converted.safeParse(value);
    return parsed.success ? [] : describeIssues(parsed.error);
  };
}

function refusedIn(value: Json): string | undefined {
  if (Array.isArray(value)) return first(value, refusedIn);
  if (typeof value !== "object" || value === null) return undefined;
  return first(Object.entries(value), ([key, inner]) => {
    if (REFUSED.has(key)) return key;
    if (DATA.has(key)) return undefined;
    const named = NAMED.has(key) && typeof inner === "object" && inner !== null;
    return named ? first(Object.values(inner), refusedIn) : refusedIn(inner);
  });
}

function first<T>(values: readonly T[], find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
