import type { Json, JsonObject } from "@troupe/stream";

/** Bounds that strict decoding does not know; they move into the description, where the model reads them. */
const BOUNDS = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "format",
]);

/**
 * The part of JSON Schema that strict modes accept: every object closed, every property required,
 * in the order they were declared (the model writes them in that order). Undefined when the schema
 * says something strict decoding cannot express: an open record, or a value of any kind.
 */
export function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  try {
    return strict(schema) as JsonObject;
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

class NotStrict extends Error {}

function strict(schema: Json): Json {
  if (!isObject(schema)) throw new NotStrict();
  const out: { [key: string]: Json } = {};
  if (isObject(schema["$defs"])) out["$defs"] = mapValues(schema["$defs"], strict);
  if (typeof schema["$ref"] === "string") return { ...out, $ref: schema["$ref"] };

  for (const key of ["title", "enum", "const"]) if (schema[key] !== undefined) out[key] = schema[key];
  const variants = schema["anyOf"] ?? schema["oneOf"] ?? typeVariants(schema);
  if (Array.isArray(variants)) out["anyOf"] = variants.map(strict);
  else if (Array.isArray(schema["allOf"])) out["allOf"] = schema["allOf"].map(strict);
  else if (typeof schema["type"] === "string") out["type"] = schema["type"];
  else if (out["enum"] === undefined && out["const"] === undefined) throw new NotStrict();

  if (out["type"] === "object") closeObject(schema, out);
  if (out["type"] === "array") out["items"] = strict(schema["items"] ?? true);
  const description = describe(schema);
  if (description !== "") out["description"] = description;
  return out;
}

function closeObject(schema: JsonObject, out: { [key: string]: Json }): void {
  const open = schema["additionalProperties"];
  if (isObject(open) || open === true || schema["patternProperties"] !== undefined) throw new NotStrict();
  const properties = schema["properties"] ?? {};
  if (!isObject(properties)) throw new NotStrict();
  out["properties"] = mapValues(properties, strict);
  out["required"] = Object.keys(properties);
  out["additionalProperties"] = false;
}

/** `type: ["string", "null"]` as the alternatives it stands for. */
function typeVariants(schema: JsonObject): Json | undefined {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return undefined;
  const { description: _, enum: __, ...bare } = rest;
  return type.map((one: Json) => ({ ...bare, type: one }));
}

function describe(schema: JsonObject): string {
  const bounds = Object.entries(schema)
    .filter(([key]) => BOUNDS.has(key))
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const text = typeof schema["description"] === "string" ? schema["description"] : "";
  const limits = bounds.length === 0 ? "" : `(${bounds.join(", ")})`;
  return [text, limits].filter((part) => part !== "").join(" ");
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
