import type { FieldType, FormValues, InputField, InputForm } from "@troupe/stream";

import { clip } from "../text/clip.ts";
import { checkFormValues } from "./check-form-values.ts";

const MAX_FIELDS = 20;
const MAX_DESCRIPTION = 300;
const MAX_OPTIONS = 400;
/** Longer text is prose. */
const MAX_PLAIN_VALUE = 2_000;

const KINDS: { readonly [type in FieldType]: string } = {
  text: "text",
  select: "text",
  multiselect: "values separated by commas",
  boolean: "yes or no",
  number: "a number",
  url: "an http or https address",
  email: "an email address",
};
const EXAMPLES: { readonly [type in FieldType]: string | number | boolean } = {
  text: "...",
  select: "...",
  multiselect: "...",
  boolean: true,
  number: 5,
  url: "https://example.com",
  email: "ann@example.com",
};

/**
 * The field that a reply without a field name fills: the only field, or the only required one where a
 * value of its type can be told apart from prose.
 */
export function soleField({ fields }: InputForm): InputField | undefined {
  const [first, second] = fields;
  if (second === undefined) return first;
  const [only, another] = fields.filter((field) => field.required && field.default_value === null);
  return only === undefined || another !== undefined || acceptsAnyText(only) ? undefined : only;
}

/** The checked value of `field` in a reply that holds nothing else; quotes and a full stop around it are ignored. */
export function plainValue(field: InputField, text: string): FormValues | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > MAX_PLAIN_VALUE) return undefined;
  const form = { title: "", description: "", fields: [field] };
  for (const value of new Set([trimmed, bare(trimmed)])) {
    const checked = checkFormValues(form, Object.fromEntries([[field.field_name, value]]));
    if (value !== "" && checked.ok) return checked.values;
  }
  return undefined;
}

/** Why a reply in words fills nothing in the form. */
export function describeUnreadReply(form: InputForm, text: string): string {
  const field = soleField(form);
  const value = text.trim();
  if (field === undefined || value.length > MAX_PLAIN_VALUE)
    return `${JSON.stringify(clip(value, 80))} names no field of this form.`;
  const alone = { title: "", description: "", fields: [field] };
  const checked = checkFormValues(alone, Object.fromEntries([[field.field_name, value]]));
  return checked.ok ? "Nothing was filled in." : checked.issues.join(" ");
}

/** Values that show the shape of a reply: the first option, or a value of the field's type. */
export function exampleValues({ fields }: InputForm): FormValues {
  return Object.fromEntries(fields.map((field) => [field.field_name, exampleOf(field)]));
}

/** The fields of a form, one a line, and with `inWords` how a reply in words fills them. */
export function describeForm(form: InputForm, { inWords }: { readonly inWords: boolean }): string {
  const { fields, title, description } = form;
  const lines = fields.slice(0, MAX_FIELDS).map((field) => describeField(field, [title, description]));
  if (fields.length > MAX_FIELDS) lines.push(`- and ${fields.length - MAX_FIELDS} more`);
  if (inWords) lines.push(replyHint(form));
  return lines.filter((line) => line !== "").join("\n");
}

function describeField(field: InputField, known: readonly string[]): string {
  const { field_name: name, field_label: label, field_description: description, default_value } = field;
  const kind = [`${label === "" || label === name ? name : `${name} (${label})`}: ${kindOf(field)}`];
  if (default_value !== null) kind.push(`default ${clip(String(default_value), MAX_OPTIONS)}`);
  else if (!field.required) kind.push("optional");
  const more =
    description === "" || known.includes(description) ? "" : `. ${clip(description, MAX_DESCRIPTION)}`;
  return `- ${kind.join(", ")}${more}`;
}

function kindOf({ field_type: type, field_values: options }: InputField): string {
  if (options.length === 0) return KINDS[type];
  const shown = clip(options.join(", "), MAX_OPTIONS);
  if (type === "select") return `one of ${shown}`;
  return type === "multiselect" ? `one or more of ${shown}, separated by commas` : KINDS[type];
}

function replyHint(form: InputForm): string {
  const { fields } = form;
  const sole = soleField(form);
  const lines = fields.slice(0, MAX_FIELDS).map((field) => `"${field.field_name}: ${exampleText(field)}"`);
  const named = `one line for each field: ${lines.join(", ")}.`;
  if (sole === undefined) return lines.length === 0 ? "" : `Reply with ${named}`;
  if (fields.length > 1) return `Reply with the value of ${sole.field_name} alone, or with ${named}`;
  return acceptsAnyText(sole)
    ? "Reply with the text."
    : `Reply with the value alone, or with the line ${lines.join()}.`;
}

function exampleText(field: InputField): string {
  const value = exampleOf(field);
  return value === true ? "yes" : String(value);
}

function exampleOf({ field_type: type, field_values, placeholder }: InputField): FormValues[string] {
  const [option] = field_values;
  if (type === "boolean" || type === "number") return EXAMPLES[type];
  const value = clip(option ?? (placeholder === "" ? String(EXAMPLES[type]) : placeholder), 80);
  return type === "multiselect" ? [value] : value;
}

function acceptsAnyText({ field_type: type, field_values: options }: InputField): boolean {
  return type === "text" || (options.length === 0 && (type === "select" || type === "multiselect"));
}

const bare = (text: string): string => text.replace(/^["'“”«»]+|["'“”«».!]+$/g, "").trim();
