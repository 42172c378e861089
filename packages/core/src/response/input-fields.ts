import type { InputField } from "@troupe/stream";

import { inputFieldSchema } from "../schemas/response.ts";
import { booleanOf, listOf, looseObject, type LooseObject } from "./loose.ts";

const { field_type: typeSchema, default_value: defaultSchema } = inputFieldSchema.shape;

/**
 * A form's fields as far as they can be read. What is missing gets its neutral value: the name as
 * label, `select` where there are options and `text` otherwise, required. A field without a name is
 * left out; that, and a wrong type, is an issue.
 */
export function readInputFields(given: unknown, issues: string[]): readonly InputField[] {
  const value = listOf(given);
  if (!Array.isArray(value)) {
    issues.push("input_fields: must be a list of fields");
    return [];
  }
  return value.flatMap((entry, index) => readField(entry, `input_fields.${index}`, issues) ?? []);
}

function readField(value: unknown, at: string, issues: string[]): InputField | undefined {
  const field = looseObject(value);
  const name = field?.["field_name"];
  if (field === undefined || typeof name !== "string" || name.trim() === "") {
    issues.push(`${at}: must be a field with a field_name`);
    return undefined;
  }
  const text = (key: string): string => textOf(field, key, at, issues);
  const label = text("field_label");
  const values = optionsOf(field["field_values"], at, issues);
  return {
    field_name: name.toWellFormed(),
    field_label: label === "" ? name.toWellFormed() : label,
    field_description: text("field_description"),
    field_type: typeOf(field["field_type"], values, at, issues),
    field_values: values,
    default_value: defaultOf(field["default_value"], at, issues),
    placeholder: text("placeholder"),
    required: requiredOf(field["required"], at, issues),
  };
}

function textOf(field: LooseObject, key: string, at: string, issues: string[]): string {
  const value = field[key] ?? "";
  if (typeof value === "string") return value.toWellFormed();
  issues.push(`${at}.${key}: must be text`);
  return "";
}

function optionsOf(value: unknown, at: string, issues: string[]): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number")) {
    return value.map((one) => String(one).toWellFormed());
  }
  issues.push(`${at}.field_values: must be a list of options`);
  return [];
}

function typeOf(
  value: unknown,
  options: readonly string[],
  at: string,
  issues: string[],
): InputField["field_type"] {
  const parsed = typeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (typeof (value ?? "") !== "string") issues.push(`${at}.field_type: must be the name of a type`);
  // A name of its own, such as dropdown, is no reason not to ask.
  return options.length > 0 ? "select" : "text";
}

function defaultOf(value: unknown, at: string, issues: string[]): InputField["default_value"] {
  const parsed = defaultSchema.safeParse(value ?? null);
  if (parsed.success) return parsed.data;
  issues.push(`${at}.default_value: must be text, a number, true or false, or a list of text`);
  return null;
}

function requiredOf(value: unknown, at: string, issues: string[]): boolean {
  const required = booleanOf(value ?? true);
  if (required !== undefined) return required;
  issues.push(`${at}.required: must be true or false`);
  return true;
}
