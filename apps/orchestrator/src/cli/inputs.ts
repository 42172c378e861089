import { checkFormValues, InputError } from "@troupe/core";
import type { InputField, InputReply, InputRequest } from "@troupe/stream";

import type { CliContext } from "./context.ts";

/**
 * Answers what a run asks: from `--input name=value`, else by asking at the terminal. Undefined when
 * neither can, so the run waits for somebody else.
 */
export async function answerRequest(
  context: CliContext,
  request: InputRequest,
  given: ReadonlyMap<string, string>,
): Promise<InputReply | undefined> {
  if (request.kind === "approval") return undefined;
  const { form, requestId } = request;
  const known = form.fields.some((field) => given.has(field.field_name));
  if (!known && context.ask === undefined) return undefined;
  if (!known) context.err(`\n${form.title}\n${form.description === "" ? "" : `${form.description}\n`}`);
  const raw: Record<string, string> = {};
  for (const field of form.fields) {
    const value = given.get(field.field_name) ?? (known ? "" : await askField(context, field));
    if (value !== "") raw[field.field_name] = value;
  }
  const checked = checkFormValues(form, raw);
  if (!checked.ok)
    throw new InputError(
      "input.invalid",
      `The form cannot be filled like this: ${checked.issues.join("; ")}.`,
    );
  return { requestId, values: checked.values };
}

async function askField(context: CliContext, field: InputField): Promise<string> {
  const choices = field.field_values.length === 0 ? "" : ` (${field.field_values.join(", ")})`;
  const fallback = field.default_value === null ? "" : ` [${String(field.default_value)}]`;
  return (
    (await context.ask?.(`${field.field_label}${choices}${fallback}: `, context.interrupted))?.trim() ?? ""
  );
}

/** `name=value` pairs of `--input`. */
export function parseInputs(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new InputError("input.invalid", `--input "${pair}" is not of the form name=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
