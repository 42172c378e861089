import type { FormValues, InputField, InputForm } from "@troupe/stream";

import { plainValue, soleField } from "./form-text.ts";

/** What a person wrote, as values of the form; types are for `checkFormValues` to see to. */
export interface FormText {
  readonly values: FormValues;
  /** Lines that name no field, for the agent to read beside the values. */
  readonly rest: string;
}

/** A name as it is said in a line, and what stands behind the first colon. */
function split(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  const name = colon === -1 ? "" : line.slice(0, colon).replace(/^\s*[-*]\s/, "");
  return { name: fold(name), value: line.slice(colon + 1).trim() };
}

/**
 * Reads plain text as a reply to a form: lines that begin with a field's name or label and a colon.
 * Whether a line is one is decided by the form alone, so a colon in prose makes no field. A form of
 * one text field takes the whole text, and a value alone fills the `soleField` of a form where it is
 * valid. Undefined when nothing is filled.
 */
export function readFormText(form: InputForm, text: string): FormText | undefined {
  const [only, second] = form.fields;
  if (only?.field_type === "text" && second === undefined) return wholeText(only, text);
  const names = fieldNames(form.fields);
  const values = new Map<string, string>();
  const rest: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const { name, value } = split(line);
    const field = names.get(name);
    if (field === undefined) rest.push(line);
    else values.set(field, value);
  }
  if (values.size === 0) {
    const sole = soleField(form);
    const filled = sole && plainValue(sole, text);
    return filled && { values: filled, rest: "" };
  }
  return { values: Object.fromEntries(values), rest: rest.join("\n").trim() };
}

function wholeText(field: InputField, text: string): FormText | undefined {
  const { name, value: behind } = split(text);
  const value = fieldNames([field]).has(name) ? behind : text.trim();
  return value === "" ? undefined : { values: Object.fromEntries([[field.field_name, value]]), rest: "" };
}

/** Names first: a label that is another field's name, or is there twice, stands for no field. */
function fieldNames(fields: readonly InputField[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const labels = new Map<string, number>();
  for (const { field_label } of fields)
    labels.set(fold(field_label), (labels.get(fold(field_label)) ?? 0) + 1);
  for (const { field_name, field_label } of fields) {
    if (field_label !== "" && labels.get(fold(field_label)) === 1) names.set(fold(field_label), field_name);
  }
  for (const { field_name } of fields) names.set(fold(field_name), field_name);
  return names;
}

const fold = (name: string): string => name.trim().toLowerCase();
