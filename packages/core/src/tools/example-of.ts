import type { Json, JsonObject } from "@troupe/stream";

import { isList, isObject } from "../schemas/json-value.ts";
import { clip } from "../text/clip.ts";

const MAX_DEPTH = 5;
const MAX_EXAMPLE = 400;

const MAX_KEYS = 20;

/**
 * A minimal valid example for the part of the arguments at `path`, such as `slides.0.title`; for all
 * arguments if the schema does not have that path. Where it shows not all
 * keys, a second line names them; an empty example is left out. Has the choices and the optional properties of
 * `given`, as far as the schema takes them.
 */
export function exampleLine(schema: JsonObject, path: string, given?: Json): string {
  const steps = path === "" ? [] : path.split(".");
  const part = partAt(schema, steps);
  const known = part !== undefined && steps.length > 0;
  const wanted = known ? part : schema;
  const meant = known ? steps.reduce<Json | undefined>(valueAt, given) : given;
  const value = exampleOf(wanted, meant, 0);
  const example = clip(JSON.stringify(value), MAX_EXAMPLE);
  const valid = known ? `Valid for ${path}: ${example}` : `Valid: ${example}`;
  const { properties } = branchOf(wanted);
  if (!isObject(value) || !isObject(properties)) return valid;
  const keys = Object.keys(properties);
  if (keys.every((key) => Object.hasOwn(value, key))) return valid;
  const more = keys.length > MAX_KEYS ? `, and ${keys.length - MAX_KEYS} more` : "";
  const takes = `${known ? path : "It"} takes: ${clip(keys.slice(0, MAX_KEYS).join(", "), MAX_EXAMPLE)}${more}.`;
  // An empty object shows no key.
  return example === "{}" ? takes : `${valid}\n${takes}`;
}

function partAt(schema: JsonObject, keys: readonly string[]): JsonObject | undefined {
  let part: JsonObject | undefined = schema;
  for (const key of keys) {
    const { properties, items } = branchOf(part);
    const next: Json | undefined = /^\d+$/.test(key)
      ? items
      : isObject(properties)
        ? properties[key]
        : undefined;
    if (!isObject(next)) return undefined;
    part = next;
  }
  return part;
}

function valueAt(value: Json | undefined, key: string): Json | undefined {
  if (isList(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Required properties, and those that `meant` has. */
function exampleOf(from: JsonObject, meant: Json | undefined, depth: number): Json {
  const schema = branchOf(from);
  const { examples, enum: values, minimum, items, minItems, properties, required } = schema;
  if (meant !== undefined && isList(values) && values.includes(meant)) return meant;
  const fixed = schema["const"] ?? first(examples) ?? schema["default"] ?? first(values);
  if (fixed !== undefined) return fixed;
  switch (typeNameOf(schema)) {
    case "integer":
    case "number":
      return typeof minimum === "number" ? minimum : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return isObject(items) && depth < MAX_DEPTH && minItems !== 0
        ? [exampleOf(items, undefined, depth + 1)]
        : [];
    case "object": {
      if (!isObject(properties) || depth >= MAX_DEPTH) return {};
      const needed = isList(required) ? required.filter((name) => typeof name === "string") : [];
      const wanted = Object.keys(properties).filter((name) => valueAt(meant, name) !== undefined);
      return Object.fromEntries(
        [...new Set([...needed, ...wanted])].map((name) => {
          const property = properties[name];
          return [name, isObject(property) ? exampleOf(property, valueAt(meant, name), depth + 1) : "..."];
        }),
      );
    }
    default:
      return "...";
  }
}

function branchOf(schema: JsonObject): JsonObject {
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (!isList(branches)) return schema;
  return branches.filter(isObject).find(({ type }) => type !== "null") ?? schema;
}

function typeNameOf({ type, properties }: JsonObject): Json | undefined {
  return first(type) ?? type ?? (isObject(properties) ? "object" : undefined);
}

function first(value: Json | undefined): Json | undefined {
  return isList(value) ? value[0] : undefined;
}
