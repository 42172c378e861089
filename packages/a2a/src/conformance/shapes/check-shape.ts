import { isObject } from "../../wire/json.ts";
import { SHAPES } from "./messages.ts";
import type { Field, FieldType } from "./shape.ts";

/** What is wrong with a value: which rule of the format it breaks, and where. */
export interface ShapeProblem {
  readonly rule: "names" | "enums" | "timestamps" | "required" | "required-lists" | "types" | "one-content";
  /** A path such as `task.status.state`. */
  readonly at: string;
  readonly problem: string;
}

const TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?Z$/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Compares JSON with a message of the service definition. Fields it does not know are let be. */
export function checkShape(message: string, value: unknown, at = ""): readonly ShapeProblem[] {
  const shape = SHAPES[message];
  if (shape === undefined) throw new Error(`No message "${message}" is known.`);
  if (!isObject(value)) return [wrongType(at, "an object", value)];
  const problems: ShapeProblem[] = [];
  for (const name of Object.keys(value)) {
    const camel = name.replace(/_+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
    if (camel !== name && Object.hasOwn(shape.fields, camel))
      problems.push({ rule: "names", at: join(at, name), problem: `must be named ${camel}` });
  }
  for (const [name, field] of Object.entries(shape.fields))
    problems.push(...checkField(field, value[name], join(at, name)));
  if (shape.oneOf !== undefined) {
    const there = shape.oneOf.filter((name) => value[name] !== undefined);
    if (there.length !== 1)
      problems.push({
        rule: "one-content",
        at: at || message,
        problem: `has ${there.join(" and ") || "none"} of ${shape.oneOf.join(", ")}; it must be exactly one`,
      });
  }
  return problems;
}

function checkField(field: Field, value: unknown, at: string): readonly ShapeProblem[] {
  if (value === undefined)
    return field.required === true ? [{ rule: "required", at, problem: "is missing" }] : [];
  if (field.list !== true) return checkValue(field.type, value, at);
  if (!Array.isArray(value)) return [wrongType(at, "an array", value)];
  if (value.length === 0 && field.required === true)
    return [{ rule: "required-lists", at, problem: "is empty" }];
  return value.flatMap((item: unknown, i) => checkValue(field.type, item, `${at}[${i}]`));
}

function checkValue(type: FieldType, value: unknown, at: string): readonly ShapeProblem[] {
  if (typeof type === "object") {
    if ("message" in type) return checkShape(type.message, value, at);
    if ("map" in type)
      return isObject(value)
        ? Object.entries(value).flatMap(([key, item]) => checkValue(type.map, item, join(at, key)))
        : [wrongType(at, "an object", value)];
    if (typeof value === "string" && type.one.includes(value)) return [];
    return [{ rule: "enums", at, problem: `is ${show(value)}, not one of ${type.one.join(", ")}` }];
  }
  switch (type) {
    case "struct":
      return isObject(value) ? [] : [wrongType(at, "an object", value)];
    case "bool":
      return typeof value === "boolean" ? [] : [wrongType(at, "a boolean", value)];
    case "int":
      return Number.isInteger(value) ? [] : [wrongType(at, "a whole number", value)];
    case "string":
      return typeof value === "string" ? [] : [wrongType(at, "a string", value)];
    case "base64":
      return typeof value === "string" && BASE64.test(value) ? [] : [wrongType(at, "base64", value)];
    case "time":
      if (typeof value === "string" && TIME.test(value)) return [];
      return [
        {
          rule: "timestamps",
          at,
          problem: `is ${show(value)}, not ISO 8601 in UTC such as 2025-10-28T10:30:00.000Z`,
        },
      ];
    default:
      return [];
  }
}

function wrongType(at: string, wanted: string, value: unknown): ShapeProblem {
  return { rule: "types", at, problem: `is ${show(value)}, not ${wanted}` };
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 80);
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}
