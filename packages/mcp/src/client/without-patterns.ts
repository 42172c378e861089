import type { Json, JsonObject } from "@troupe/stream";

/** Keywords with values, not schemas, in them. */
const DATA = new Set(["const", "enum", "default", "examples", "required"]);
/** Keywords with schemas by name: there `pattern` is a name like any other. */
const NAMED = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

/**
 * A stranger's schema without its regular expressions. One of a hostile or careless server can keep
 * this process busy for minutes over a few characters; the server checks its own patterns anyway.
 * Where keys were told apart by pattern, any key is taken.
 */
export function withoutPatterns(schema: JsonObject): JsonObject {
  const loose = schema["patternProperties"] !== undefined;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (key === "pattern" || key === "patternProperties") return [];
      if (loose && (key === "additionalProperties" || key === "unevaluatedProperties")) return [];
      if (DATA.has(key)) return [[key, value]];
      return [[key, NAMED.has(key) && isObject(value) ? mapValues(value, strip) : strip(value)]];
    }),
  );
}

function strip(value: Json): Json {
  if (isObject(value)) return withoutPatterns(value);
  return Array.isArray(value) ? value.map(strip) : value;
}

function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
