import { checkFormValues, InputError } from "@troupe/core";
import type { InputReply, InputRequest } from "@troupe/stream";

import { planIn } from "@troupe/workflow";

import type { CliContext } from "./context.ts";
import { decidePlan } from "./decide-plan.ts";
import { decide, type Verdict } from "./decide.ts";
import { fillForm } from "./fill-form.ts";

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
  const plan = planIn(request);
  if (plan) {
    const decisions = await decidePlan(context, request, plan, verdict);
    return decisions && { requestId, decisions };
  }
  if (verdict?.workflow !== undefined)
    throw new InputError(
      "input.invalid",
      "The run does not ask for its plan, so --workflow changes nothing.",
    );
  if (request.kind === "approval") {
    const decisions = await decide(context, request.calls, verdict);
    return decisions && { requestId, decisions };
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
