import { checkFormValues, InputError } from "@troupe/core";
import type { InputReply, InputRequest, PendingCall } from "@troupe/stream";

import type { CliContext } from "./context.ts";
import { fillForm } from "./fill-form.ts";
import { harmless } from "./render/harmless.ts";

/** What a person says to all calls of one approval. */
export type Verdict = { readonly type: "approve" } | { readonly type: "reject"; readonly reason: string };

/**
 * Answers what a run asks: from `--input name=value` or the verdict given, else by asking at the
 * terminal. Undefined when neither can or the person leaves, so the run waits on. Throws an
 * `InputError` when what is given does not fit.
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
  if (!known) {
    const values = await fillForm(context, form);
    return values && { requestId, values };
  }
  const raw = Object.fromEntries(
    form.fields.flatMap(({ field_name }) => {
      const value = given.get(field_name) ?? "";
      return value === "" ? [] : [[field_name, value]];
    }),
  );
  const checked = checkFormValues(form, raw);
  if (!checked.ok)
    throw new InputError("input.invalid", `The form cannot be filled like this: ${checked.issues.join(" ")}`);
  return { requestId, values: checked.values };
}

/** Nothing is approved by silence: only "yes" is, and no answer decides nothing. */
async function askVerdict(context: CliContext, calls: readonly PendingCall[]): Promise<Verdict | undefined> {
  if (context.ask === undefined) return undefined;
  context.err(`\nThe run waits for a person to approve:\n${callLines(calls)}`);
  const said = (await context.ask("Approve? (yes, no): ", context.interrupted))?.trim().toLowerCase();
  if (said === "yes" || said === "y") return { type: "approve" };
  if (said !== "no" && said !== "n") return undefined;
  const reason = await context.ask("Why not? ", context.interrupted);
  return reason === undefined ? undefined : { type: "reject", reason: reason.trim() };
}

/** One line a call, as it would be made. */
export function callLines(calls: readonly PendingCall[]): string {
  return calls.map(({ tool, arguments: args }) => harmless(`  ${tool} ${JSON.stringify(args)}\n`)).join("");
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
