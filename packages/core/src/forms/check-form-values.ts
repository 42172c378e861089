import type { FormValues, InputField, InputForm } from "@troupe/stream";

type Value = FormValues[string];

/** The values with their types, or each problem as a sentence for the person who filled the form. */
export type CheckedValues =
  | { readonly ok: true; readonly values: FormValues }
  | { readonly ok: false; readonly issues: readonly string[] };

/**
 * Checks what a person filled in against the form they were given. What arrives as text is turned
 * into the field's type; a field left out takes its default; an unknown field is an issue.
 */
export function checkFormValues(form: InputForm, values: FormValues): CheckedValues {
  const issues: string[] = [];
  const checked = new Map<string, Value>();
  for (const field of form.fields) {
    const given = Object.hasOwn(values, field.field_name) ? values[field.field_name] : undefined;
    const value = isBlank(given) ? field.default_value : given;
    if (isBlank(value)) {
      if (field.required) issues.push(`${label(field)}: is required.`);
      checked.set(field.field_name, null);
      continue;
    }
    const result = checkValue(field, value);
    if (typeof result === "object" && result !== null && "issue" in result) {
      issues.push(`${label(field)}: ${result.issue}`);
    } else {
      checked.set(field.field_name, result);
    }
  }
  const known = new Set(form.fields.map((field) => field.field_name));
  for (const name of Object.keys(values)) {
    if (!known.has(name)) issues.push(`${name}: is not a field of this form.`);
  }
  return issues.length === 0 ? { ok: true, values: Object.fromEntries(checked) } : { ok: false, issues };
}

function label(field: InputField): string {
  return field.field_label === "" ? field.field_name : field.field_label;
}

function isBlank(value: Value | undefined): value is null | undefined | "" {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

type Checked = Value | { readonly issue: string };

function checkValue(field: InputField, value: NonNullable<Value>): Checked {
  switch (field.field_type) {
    case "text":
      return typeof value === "string" ? value : { issue: "must be text." };
    case "number":
      return checkNumber(value);
    case "boolean":
      return checkBoolean(value);
    case "select":
      return checkOption(field, value);
    case "multiselect":
      return checkOptions(field, value);
    case "url":
      return isUrl(value) ? value : { issue: `${quote(value)} is not an http or https address.` };
    case "email":
      return isEmail(value) ? value : { issue: `${quote(value)} is not an email address.` };
    default:
      field.field_type satisfies never;
      return { issue: "has a type that is not known." };
  }
}

function checkNumber(value: NonNullable<Value>): Checked {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number)
    ? number
    : { issue: `${quote(value)} is not a number.` };
}

function checkBoolean(value: NonNullable<Value>): Checked {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && /^(true|yes)$/i.test(value.trim())) return true;
  if (typeof value === "string" && /^(false|no)$/i.test(value.trim())) return false;
  return { issue: `${quote(value)} is neither yes nor no.` };
}

function checkOption(field: InputField, value: NonNullable<Value>): Checked {
  if (typeof value === "string" && field.field_values.includes(value)) return value;
  return { issue: `${quote(value)} is not one of ${field.field_values.join(", ")}.` };
}

function checkOptions(field: InputField, value: NonNullable<Value>): Checked {
  const list = typeof value === "string" ? value.split(",").map((part) => part.trim()) : value;
  if (!Array.isArray(list)) return { issue: "must be a list." };
  const wrong = (list as readonly string[]).find((entry) => !field.field_values.includes(entry));
  return wrong === undefined
    ? (list as readonly string[])
    : { issue: `${quote(wrong)} is not one of ${field.field_values.join(", ")}.` };
}

function isUrl(value: NonNullable<Value>): value is string {
  return typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "");
}

function isEmail(value: NonNullable<Value>): value is string {
  return typeof value === "string" && value.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
}

function quote(value: NonNullable<Value>): string {
  return JSON.stringify(value);
}
