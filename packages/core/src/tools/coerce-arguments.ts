import type { Json, JsonObject } from "@troupe/stream";

import { isList, isObject, parseJson } from "../schemas/json-value.ts";
import { clip } from "../text/clip.ts";
import { nearestNames } from "../text/nearest-names.ts";

/** Arguments in the form of the tool's schema, and how each changed part was read. */
export interface CoercedArguments {
  readonly args: Json;
  /** Such as `q as query`; empty where nothing was changed. */
  readonly readings: readonly string[];
  /** Properties that were left out because the tool does not take them. */
  readonly dropped: readonly string[];
}

/** Most levels of nested objects and lists that are read. */
const MAX_DEPTH = 8;
const MAX_NAMED = 8;
/** Names that models use for the only text argument of a tool. */
const TEXT_NAMES: ReadonlySet<string> = new Set(
  "q query question search searchquery searchterm searchtext querystring querytext term text input prompt keywords keyword sql statement".split(
    " ",
  ),
);
/** Names that models use for a property of a tool, by that property; all as `fold` returns them. */
const NAMES_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    limit: "k topk n topn maxresult numresult",
    kind: "type",
    point: "bullet bulletpoint content",
    column: "header columnheader",
  }).flatMap(([property, names]) => names.split(" ").map((name) => [name, property] as const)),
);
/** Words of a name that add nothing to it. */
const FILLERS: ReadonlySet<string> = new Set(
  "search input text string value id name term list keyword query number axis".split(" ").map(singular),
);
/** Properties that models wrap all arguments in. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "arguments",
  "parameters",
  "args",
  "params",
  "input",
  "kwargs",
]);

type Type = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/**
 * Converts arguments with exactly one meaning to the tool's JSON Schema: similar names of properties, text in place of a
 * number, a list or an object, one value in place of a list. Ambiguous arguments stay as they are, for the tool to refuse. Arguments that fit are returned unchanged.
 */
export function coerceArguments(schema: JsonObject, given: Json): CoercedArguments {
  if (isObject(given) && fitsObject(schema, given)) return { args: given, readings: [], dropped: [] };
  const notes: Notes = { readings: [], dropped: [] };
  const args = coerceObject(schema, gathered(schema, unwrap(schema, given, notes), notes), "", notes, 0);
  return { args, ...notes };
}

/** Fast path for most calls: every property is known and has the right type. */
function fitsObject(schema: JsonObject, given: JsonObject): boolean {
  const { properties } = schema;
  if (!isObject(properties)) return false;
  for (const name in given) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(property) || !fits(property, given[name])) return false;
  }
  return true;
}

function fits(schema: JsonObject, value: Json | undefined): boolean {
  switch (schema["type"]) {
    case "string":
      return typeof value === "string" && schema["enum"] === undefined;
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "integer":
      return Number.isInteger(value);
    case "object":
      return isObject(value) && fitsObject(schema, value);
    default:
      return false;
  }
}

/** One line for the model about how its arguments were read; undefined where they were taken as they are. */
export function describeReadings(
  { readings, dropped }: Pick<CoercedArguments, "readings" | "dropped">,
  tool: string,
): string | undefined {
  if (readings.length + dropped.length === 0) return undefined;
  const parts = [
    ...(readings.length === 0 ? [] : [`read ${listed(readings)}`]),
    ...(dropped.length === 0 ? [] : [`left out ${listed(dropped)}, which ${tool} does not take`]),
  ];
  return `Arguments: ${parts.join("; ")}.`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => clip(name, 80));
  return `${shown.join(", ")}${names.length > MAX_NAMED ? " and more" : ""}`;
}

interface Notes {
  readonly readings: string[];
  readonly dropped: string[];
}

/** All arguments as JSON text, inside one property of that name, or as the one text that is wanted. */
function unwrap(schema: JsonObject, given: Json, { readings }: Notes): Json {
  const properties = propertiesOf(schema);
  if (typeof given === "string") {
    const parsed = parseJson(given);
    if (isObject(parsed)) {
      readings.push("text as an object");
      return parsed;
    }
    const only = onlyText(schema);
    if (only === undefined || given.trim() === "") return given;
    readings.push(`text as ${only}`);
    return { [only]: given };
  }
  if (!isObject(given)) return given;
  const [entry, ...others] = Object.entries(given);
  if (entry === undefined || others.length > 0) return given;
  const [name, value] = entry;
  if (Object.hasOwn(properties, name) || !WRAPPERS.has(name)) return given;
  const inside = typeof value === "string" ? parseJson(value) : value;
  if (!isObject(inside)) return given;
  readings.push(`the content of ${name} as the arguments`);
  return inside;
}

/** Properties of the only missing object, given beside the other arguments, as that object. */
function gathered(schema: JsonObject, given: Json, { readings }: Notes): Json {
  if (!isObject(given)) return given;
  const properties = propertiesOf(schema);
  const outer = renamed(schema, given);
  const present = new Set([...Object.keys(given), ...outer.values()]);
  const [name, ...others] = [...requiredOf(schema)].filter((one) => {
    const property = properties[one];
    return !present.has(one) && isObject(property) && isObject(property["properties"]);
  });
  const inner = name === undefined ? undefined : properties[name];
  if (name === undefined || others.length > 0 || !isObject(inner)) return given;
  const unknown = Object.entries(given).filter(([one]) => !Object.hasOwn(properties, one) && !outer.has(one));
  const names = renamed(inner, Object.fromEntries(unknown));
  const own = unknown.filter(([one]) => Object.hasOwn(propertiesOf(inner), one) || names.has(one));
  if (own.length === 0) return given;
  const moved = new Set(own.map(([one]) => one));
  readings.push(`${[...moved].join(", ")} as properties of ${name}`);
  const rest = Object.entries(given).filter(([one]) => !moved.has(one));
  return Object.fromEntries([...rest, [name, Object.fromEntries(own)]]);
}

function coerceObject(schema: JsonObject, given: Json, path: string, notes: Notes, depth: number): Json {
  if (!isObject(given) || !isObject(schema["properties"])) return given;
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  const names = renamed(schema, given);
  let changed = false;
  const entries: [string, Json][] = [];
  for (const [name, value] of Object.entries(given)) {
    const known = Object.hasOwn(properties, name) ? name : names.get(name);
    const at = join(path, name);
    if (known === undefined) {
      // Kept in an open object, and where it may be mistyped: dropping a mistyped filter would widen the call.
      const isKept = schema["additionalProperties"] !== false || isMistyped(name, given, properties);
      if (isKept) entries.push([name, value]);
      else {
        notes.dropped.push(at);
        changed = true;
      }
      continue;
    }
    const property = properties[known];
    if (known !== name) {
      notes.readings.push(`${at} as ${known}`);
      changed = true;
    }
    if (value === null && !required.has(known) && isObject(property) && !takes(property, "null")) {
      notes.readings.push(`${at} as not given`);
      changed = true;
      continue;
    }
    const coerced = isObject(property)
      ? coerceValue(property, value, join(path, known), notes, depth + 1)
      : value;
    changed ||= coerced !== value;
    entries.push([known, coerced]);
  }
  return changed ? Object.fromEntries(entries) : given;
}

function isMistyped(name: string, given: JsonObject, properties: JsonObject): boolean {
  const free = Object.keys(properties).filter((one) => !Object.hasOwn(given, one));
  return nearestNames(name, free).length > 0;
}

/** Maps unknown properties to the known ones they mean. Two that mean the same one are not mapped. */
function renamed(schema: JsonObject, given: JsonObject): ReadonlyMap<string, string> {
  const properties = propertiesOf(schema);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return new Map();
  const free = Object.keys(properties).filter((name) => !Object.hasOwn(given, name));
  const required = requiredOf(schema);
  const missing = free.filter((name) => required.has(name));
  const meant = new Map<string, string>();
  for (const name of unknown) {
    const folded = fold(name);
    // A required property comes before the text of the tool, and that before what may be left out.
    const [found = []] = [
      free.filter((one) => fold(one) === folded),
      free.filter((one) => fold(one) === NAMES_FOR.get(folded)),
      missing.filter((one) => isNear(name, one)),
      textMeant(name, given[name], schema, free),
      free.filter((one) => isNear(name, one)),
    ].filter((list) => list.length > 0);
    const [one, ...others] = found;
    if (one !== undefined && others.length === 0) meant.set(name, one);
  }
  const targets = [...meant.values()];
  for (const [name, one] of meant) {
    if (targets.filter((other) => other === one).length > 1) meant.delete(name);
  }
  return meant;
}

/** The only text argument of the tool, if it is missing and models use this name for such a text. */
function textMeant(
  name: string,
  value: Json | undefined,
  schema: JsonObject,
  free: readonly string[],
): readonly string[] {
  const only = onlyText(schema);
  const isText = typeof value === "string" && TEXT_NAMES.has(fold(name));
  return isText && only !== undefined && free.includes(only) ? [only] : [];
}

/** The only required text or list of texts; where nothing is required, the only one of such a name, as `query`. */
function onlyText(schema: JsonObject): string | undefined {
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  const wanted =
    required.size > 0 ? [...required] : Object.keys(properties).filter((name) => TEXT_NAMES.has(fold(name)));
  const texts = wanted.filter((name) => {
    const property = properties[name];
    if (!isObject(property)) return false;
    const { items } = property;
    return (
      takes(property, "string") || (takes(property, "array") && isObject(items) && takes(items, "string"))
    );
  });
  return texts.length === 1 ? texts[0] : undefined;
}

/** Equal apart from filler words: `search_query` and `query`, `document` and `document_id`. */
function isNear(a: string, b: string): boolean {
  const left = wordsOf(a);
  const right = wordsOf(b);
  if (left.length === 1 && (left[0] === "id" || left[0] === "name")) return right.at(-1) === left[0];
  const [long, short] = left.length > right.length ? [left, right] : [right, left];
  if (short.length === 0 || !short.every((word) => long.includes(word))) return false;
  return long.every((word) => short.includes(word) || FILLERS.has(word));
}

function coerceValue(schema: JsonObject, value: Json, path: string, notes: Notes, depth: number): Json {
  if (depth > MAX_DEPTH) return value;
  const branch = branchFor(schema);
  if (branch === undefined) return value;
  if (takes(branch, typeOf(value)) || (typeof value === "number" && takes(branch, "number")))
    return inside(branch, value, path, notes, depth);
  const read = readAs(branch, value);
  if (read === undefined) return value;
  notes.readings.push(`${path} as ${read.as}`);
  return inside(branch, read.value, path, notes, depth);
}

function inside(schema: JsonObject, value: Json, path: string, notes: Notes, depth: number): Json {
  if (isObject(value)) return coerceObject(schema, value, path, notes, depth);
  if (isList(value)) {
    const { items } = schema;
    if (!isObject(items)) return value;
    const list = value.map((entry, index) => coerceValue(items, entry, `${path}.${index}`, notes, depth + 1));
    return list.every((entry, index) => entry === value[index]) ? value : list;
  }
  if (typeof value !== "string" || !isList(schema["enum"]) || schema["enum"].includes(value)) return value;
  const near = schema["enum"].filter((one) => typeof one === "string" && fold(one) === fold(value));
  const [only] = near;
  if (only === undefined || near.length > 1) return value;
  notes.readings.push(`${path} as ${JSON.stringify(only)}`);
  return only;
}

/** The value converted to a type that the schema takes; undefined if that is ambiguous. */
function readAs(schema: JsonObject, value: Json): { readonly value: Json; readonly as: string } | undefined {
  if (typeof value === "string") return readText(schema, value);
  if (isList(value)) {
    const [only] = value;
    if (value.length !== 1 || only === undefined || !takes(schema, typeOf(only))) return undefined;
    return { value: only, as: "its one entry" };
  }
  if (takes(schema, "array")) {
    const { items } = schema;
    if (value === null || (isObject(items) && !takes(items, typeOf(value)))) return undefined;
    return { value: [value], as: "a list of one" };
  }
  if ((typeof value === "number" || typeof value === "boolean") && takes(schema, "string"))
    return { value: String(value), as: "text" };
  return undefined;
}

function readText(
  schema: JsonObject,
  value: string,
): { readonly value: Json; readonly as: string } | undefined {
  const text = value.trim();
  if (
    (takes(schema, "number") || takes(schema, "integer")) &&
    /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text)
  ) {
    const number = Number(text);
    return takes(schema, "number") || Number.isInteger(number)
      ? { value: number, as: "a number" }
      : undefined;
  }
  if (takes(schema, "boolean") && /^(?:true|false)$/i.test(text))
    return { value: text.toLowerCase() === "true", as: "a boolean" };
  if (takes(schema, "object")) {
    const parsed = parseJson(text);
    if (isObject(parsed)) return { value: parsed, as: "an object" };
  }
  if (!takes(schema, "array")) return undefined;
  const parsed = /^[[{]/.test(text) ? parseJson(text) : undefined;
  if (isList(parsed)) return { value: parsed, as: "a list" };
  const { items } = schema;
  if (isObject(parsed) && isObject(items) && takes(items, "object"))
    return { value: [parsed], as: "a list of one" };
  const isEntry = isObject(items) && (takes(items, "string") || readText(items, text) !== undefined);
  return isEntry && text !== "" ? { value: [value], as: "a list of one" } : undefined;
}

/** The schema itself, or the only branch of it that is not null; undefined where there are several. */
function branchFor(schema: JsonObject): JsonObject | undefined {
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (!isList(branches)) return schema;
  const types = branches.filter(isObject).filter((one) => one["type"] !== "null");
  const [only, ...others] = types;
  if (only === undefined) return undefined;
  if (others.length === 0) {
    const nullable = types.length < branches.length;
    return nullable && typeof only["type"] === "string" ? { ...only, type: [only["type"], "null"] } : only;
  }
  // Of several branches, the tool finds the one that fits.
  const known = types.flatMap((one) => typesOf(one) ?? []);
  return types.every((one) => typesOf(one) !== undefined) ? { type: known } : undefined;
}

function typesOf(schema: JsonObject): readonly string[] | undefined {
  const { type, enum: values } = schema;
  if (typeof type === "string") return [type];
  if (isList(type)) return type.filter((one) => typeof one === "string");
  const sample = schema["const"] ?? (isList(values) ? values[0] : undefined);
  if (sample !== undefined) return [typeOf(sample)];
  return isObject(schema["properties"]) ? ["object"] : undefined;
}

/** A schema without a type takes anything. */
function takes(schema: JsonObject, type: Type): boolean {
  const branch = branchFor(schema);
  const types = branch === undefined ? undefined : typesOf(branch);
  if (types === undefined) return true;
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function typeOf(value: Json): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonObject): ReadonlySet<string> {
  return new Set(isList(required) ? required.filter((name) => typeof name === "string") : []);
}

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 80)
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "")
    .map(singular);
}

function singular(word: string): string {
  return word.length > 2 && word.endsWith("s") ? word.slice(0, -1) : word;
}

const fold = (name: string): string => wordsOf(name).join("");

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
