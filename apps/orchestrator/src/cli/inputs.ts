import { checkFormValues, InputError } from "@troupe/core";
import type { InputField, InputReply, InputRequest, PendingCall } from "@troupe/stream";

import type { CliContext } from "./context.ts";
import { harmless } from "./render/harmless.ts";

/** What a person says to all calls of one approval. */
export type Verdict = { readonly type: "approve" } | { readonly type: "reject"; readonly reason: string };

/**
 * Answers what a run asks: from `--input name=value` or the verdict given, else by asking at the
 * terminal. Undefined when neither can, so the run waits for somebody else.
 *
 * @param verdict on this very request; it must not be handed to the next one, which nobody has seen
 */
export async function answerRequest(
  context: CliContext,
  request: InputRequest,
  given: ReadonlyMap<string, string>,
  verdict?: Verdict,
): Promise<InputReply | undefined> {
  const { requestId } = request;
  if (request.kind === "approval") {
    const said = verdict ?? (await askVerdict(context, request.calls));
    return said && { requestId, decisions: request.calls.map(({ callId }) => ({ callId, ...said })) };
  }
  if (verdict !== undefined)
    throw new InputError(
      "input.invalid",
      "The run asks for values, not for an approval. Give --input NAME=VALUE.",
    );
  const { form } = request;
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

/** Nothing is approved by silence: only "yes" is, and no answer decides nothing. */
async function askVerdict(context: CliContext, calls: readonly PendingCall[]): Promise<Verdict | undefined> {
  if (context.ask === undefined) return undefined;
  context.err(`\nThe run waits for a person to approve:\n${callLines(calls)}`);
  const said = (await context.ask("Approve? (yes, no): ", context.interrupted)).trim().toLowerCase();
  if (said === "yes" || said === "y") return { type: "approve" };
  if (said !== "no" && said !== "n") return undefined;
  return { type: "reject", reason: (await context.ask("Why not? ", context.interrupted)).trim() };
}

/** One line a call, as it would be made. */
export function callLines(calls: readonly PendingCall[]): string {
  return calls.map(({ tool, arguments: args }) => harmless(`  ${tool} ${JSON.stringify(args)}\n`)).join("");
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
