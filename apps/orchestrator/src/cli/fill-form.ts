import { checkFormValues, clip } from "@troupe/core";
import type { FormValues, InputField, InputForm } from "@troupe/stream";

import type { CliContext } from "./context.ts";
import { harmless, oneLine } from "./render/harmless.ts";

/**
 * Asks for each field of a form at the terminal, and again with the reason where an answer does not
 * fit. Undefined when nobody is there or the person leaves, with Ctrl-C
 * or at the end of input.
 */
export async function fillForm(
  context: Pick<CliContext, "ask" | "err" | "interrupted">,
  form: InputForm,
): Promise<FormValues | undefined> {
  if (context.ask === undefined) return undefined;
  context.err(harmless(`\n${[form.title, form.description].filter((text) => text !== "").join("\n")}\n`));
  const values = new Map<string, FormValues[string]>();
  for (const field of form.fields) {
    context.err(harmless(optionsText(field)));
    for (;;) {
      const said = await context.ask(harmless(questionText(field)), context.interrupted);
      if (said === undefined) return undefined;
      const checked = checkField(field, optionsOf(field, said.trim()));
      if (checked.ok) {
        for (const [name, value] of Object.entries(checked.values)) values.set(name, value);
        break;
      }
      context.err(harmless(`${checked.issues.join("\n")}\n`));
    }
  }
  return Object.fromEntries(values);
}

/** One field of a form and what was given for it, by the rules of the whole. */
export function checkField(field: InputField, value: string): ReturnType<typeof checkFormValues> {
  return checkFormValues({ title: "", description: "", fields: [field] }, { [field.field_name]: value });
}

function optionsText(field: InputField): string {
  const about = field.field_description === "" ? "" : `${field.field_description}\n`;
  return about + field.field_values.map((option, index) => `  ${index + 1}. ${option}\n`).join("");
}

const KINDS: { readonly [T in InputField["field_type"]]: string } = {
  text: "",
  select: "number or text",
  multiselect: "numbers or texts, with commas between",
  boolean: "yes, no",
  number: "a number",
  url: "an address",
  email: "an email address",
};

const MAX_DEFAULT = 80;

/** A line for each field, with its name as `--input` takes it, the options there are and what it is without an answer. */
export function fieldLines(form: InputForm): string {
  return form.fields
    .map((field) => {
      const label = field.field_label === field.field_name ? "" : field.field_label;
      const options = field.field_values.length > 0 ? field.field_values.join(", ") : KINDS[field.field_type];
      const about = inBrackets(options, leftOutText(field));
      return harmless(`  ${field.field_name}${label === "" ? "" : `: ${label}`}${about}\n`);
    })
    .join("");
}

/** Whether there is no value of the field without an answer of the person. */
export function needsAnswer(field: InputField): boolean {
  return !checkField(field, "").ok;
}

/** `6 if left out`; empty where the field needs an answer. */
function leftOutText(field: InputField): string {
  const checked = checkField(field, "");
  if (!checked.ok) return "";
  const value = checked.values[field.field_name] ?? null;
  return value === null ? "may be left out" : `${clip(oneLine(valueText(value)), MAX_DEFAULT)} if left out`;
}

function valueText(value: NonNullable<FormValues[string]>): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function inBrackets(options: string, leftOut: string): string {
  const between = options.includes(",") ? "; " : ", ";
  const all = [options, leftOut].filter((text) => text !== "").join(between);
  return all === "" ? "" : ` (${all})`;
}

function questionText(field: InputField): string {
  const label = field.field_label === "" ? field.field_name : field.field_label;
  const { default_value: fallback } = field;
  if (fallback === null) return `${label}${inBrackets(KINDS[field.field_type], leftOutText(field))}: `;
  const preset = Array.isArray(fallback) ? fallback.join(", ") : String(fallback);
  return `${label}${inBrackets(KINDS[field.field_type], "")} [${preset}]: `;
}

/** The options themselves where their numbers were given; an option that is a number is meant itself. */
function optionsOf(field: InputField, said: string): string {
  const options = field.field_values;
  const option = (text: string): string =>
    options.includes(text) ? text : (options[Number(text) - 1] ?? text);
  if (field.field_type === "select") return option(said);
  if (field.field_type !== "multiselect") return said;
  return said
    .split(",")
    .map((part) => option(part.trim()))
    .join(",");
}
