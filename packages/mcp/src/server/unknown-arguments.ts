import { suggestNames } from "@troupe/core";
import type { Json, JsonObject } from "@troupe/stream";

/**
 * One line for each argument that a tool does not have, with the nearest it has. A mistyped name that is
 * passed over would make a narrow call a wide one. Nothing where the schema takes other names too.
 */
export function unknownArguments(schema: JsonObject, args: Json): readonly string[] {
  const { properties, additionalProperties = false } = schema;
  if (!isObject(properties) || additionalProperties !== false || !isObject(args)) return [];
  const known = Object.keys(properties);
  return Object.keys(args)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => `"${name.slice(0, 80)}" is no argument.${suggestNames(name, known)}`);
}

/** The schema for clients: it excludes the names that `unknownArguments` refuses. */
export function closedSchema(schema: JsonObject): JsonObject {
  const isOpen = !isObject(schema["properties"]) || schema["additionalProperties"] !== undefined;
  return isOpen ? schema : { ...schema, additionalProperties: false };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
