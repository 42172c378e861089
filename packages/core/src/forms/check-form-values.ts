import type { FormValues, InputField, InputForm } from "@troupe/stream";

import { clip } from "../text/clip.ts";

type Value = FormValues[string];

const MAX_QUOTED = 120;
const MAX_OPTIONS = 400;
/** Names that are no fields and are told one by one. */
const MAX_UNKNOWN = 10;

/** The values with their types, or each problem as a sentence for the person who filled the form. */
export type CheckedValues =
  | { readonly ok: true; readonly values: FormValues }
  | { readonly ok: false; readonly issues: readonly string[] };

/**
 * Checks what a person filled in against the form they were given. What arrives as text, as browsers
 * and people write it, is turned into the field's type; a field left out takes its default, or null;
 * an unknown field is an issue.
 */
export function checkFormValues(form: InputForm, values: FormValues): CheckedValues {
  const issues: string[] = [];
  const checked = new Map<string, Value>();
  for (const field of form.fields) {
    const given = Object.hasOwn(values, field.field_name) ? values[field.field_name] : undefined;
    const result = isBlank(given) ? byDefault(field) : checkValue(field, given);
    if (typeof result === "object" && result !== null && "issue" in result) {
      issues.push(`${label(field)}: ${result.issue}`);
    } else {
      checked.set(field.field_name, result);
    }
  }
  const known = new Set(form.fields.map((field) => field.field_name));
  const unknown = Object.keys(values).filter((name) => !known.has(name));
  for (const name of unknown.slice(0, MAX_UNKNOWN))
    issues.push(`${clip(name, MAX_QUOTED)}: is not a field of this form.`);
  if (unknown.length > MAX_UNKNOWN) issues.push(`${unknown.length - MAX_UNKNOWN} more are no fields of it.`);
  return issues.length === 0 ? { ok: true, values: Object.fromEntries(checked) } : { ok: false, issues };
}

function label(field: InputField): string {
  return field.field_label === "" ? field.field_name : field.field_label;
}

function isBlank(value: Value | undefined): value is null | undefined {
  if (typeof value === "string") return value.trim() === "";
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

type Checked = Value | { readonly issue: string };

/** A default that does not fit its own field is none: it is not the person who wrote it. */
function byDefault(field: InputField): Checked {
  const { default_value: value } = field;
  const result = isBlank(value) ? null : checkValue(field, value);
  const usable = typeof result === "object" && result !== null && "issue" in result ? null : result;
  return usable === null && field.required ? { issue: "is required." } : usable;
}

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
      return checkUrl(value);
    case "email":
      return checkEmail(value);
    default:
      field.field_type satisfies never;
      return { issue: "has a type that is not known." };
  }
}

/** Decimal, as number inputs send it. No digit can be matched in two ways: whoever fills in a form may send millions. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const CONTROL = /\p{Cc}/u;

function checkNumber(value: NonNullable<Value>): Checked {
  const number = typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number)
    ? number
    : { issue: `${quote(value)} is not a number.` };
}

/** `on` is what a browser sends for a ticked box. */
function checkBoolean(value: NonNullable<Value>): Checked {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && /^(?:true|yes|on)$/i.test(value.trim())) return true;
  if (typeof value === "string" && /^(?:false|no|off)$/i.test(value.trim())) return false;
  return { issue: `${quote(value)} is neither yes nor no.` };
}

function checkOption(field: InputField, value: NonNullable<Value>): Checked {
  const option = typeof value === "string" ? optionFor(field, value) : undefined;
  return option ?? noOption(field, value);
}

/** A list, or text with commas; one option that itself has a comma is taken whole. */
function checkOptions(field: InputField, value: NonNullable<Value>): Checked {
  const whole = typeof value === "string" ? optionFor(field, value) : undefined;
  if (whole !== undefined && field.field_values.length > 0) return [whole];
  const list = typeof value === "string" ? value.split(",").filter((part) => part.trim() !== "") : value;
  if (!Array.isArray(list)) return { issue: "must be a list." };
  const chosen = new Set<string>();
  for (const entry of list as readonly unknown[]) {
    const option = typeof entry === "string" ? optionFor(field, entry) : undefined;
    if (option === undefined) return noOption(field, entry);
    chosen.add(option);
  }
  return [...chosen];
}

/** Without options any text is valid. Case is ignored where it leaves one option. */
function optionFor({ field_values: options }: InputField, value: string): string | undefined {
  if (options.includes(value)) return value;
  const trimmed = value.trim();
  if (options.length === 0 || options.includes(trimmed)) return trimmed;
  const [only, another] = options.filter((option) => option.toLowerCase() === trimmed.toLowerCase());
  return another === undefined ? only : undefined;
}

function noOption({ field_values }: InputField, value: unknown): { readonly issue: string } {
  return { issue: `${quote(value)} is not one of ${clip(field_values.join(", "), MAX_OPTIONS)}.` };
}

function checkUrl(value: NonNullable<Value>): Checked {
  const address = typeof value === "string" ? value.trim() : "";
  // URL itself drops line ends and tabs from within.
  if (!CONTROL.test(address) && /^https?:$/.test(URL.parse(address)?.protocol ?? "")) return address;
  return { issue: `${quote(value)} is not an http or https address.` };
}

function checkEmail(value: NonNullable<Value>): Checked {
  const address = typeof value === "string" ? value.trim() : "";
  if (address.length <= 254 && !CONTROL.test(address) && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(address))
    return address;
  return { issue: `${quote(value)} is not an email address.` };
}

function quote(value: unknown): string {
  return clip(JSON.stringify(value) ?? "this", MAX_QUOTED);
}
