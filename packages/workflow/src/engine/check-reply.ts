import { checkFormValues, describeIssues, inputReplySchema } from "@troupe/core";
import type { InputReply, InputRequest, Json } from "@troupe/stream";

export type ReplyCheck =
  | { readonly ok: true; readonly reply: InputReply }
  | { readonly ok: false; readonly issues: readonly string[] };

/**
 * Whether a reply answers this request. Check before signalling: a signal takes one value, and a
 * run that is handed a bad one can only fail the step. Fields left out get their default.
 */
export function checkReply(request: InputRequest, value: Json): ReplyCheck {
  const parsed = inputReplySchema.safeParse(value);
  if (!parsed.success) return { ok: false, issues: describeIssues(parsed.error) };
  const reply = parsed.data;
  if (reply.requestId !== request.requestId)
    return { ok: false, issues: [`answers "${reply.requestId}", but "${request.requestId}" was asked`] };
  if (request.kind === "form") {
    if (!("values" in reply)) return { ok: false, issues: ["a form is answered with values"] };
    const checked = checkFormValues(request.form, reply.values);
    return checked.ok ? { ok: true, reply: { ...reply, values: checked.values } } : checked;
  }
  if (!("decisions" in reply)) return { ok: false, issues: ["an approval is answered with decisions"] };
  const asked = request.calls.map((call) => call.callId);
  const decided = reply.decisions.map((decision) => decision.callId);
  const issues = [
    ...asked
      .filter((id) => decided.filter((other) => other === id).length !== 1)
      .map((id) => `call "${id}" needs exactly one decision`),
    ...decided.filter((id) => !asked.includes(id)).map((id) => `call "${id}" was not asked about`),
  ];
  return issues.length > 0 ? { ok: false, issues } : { ok: true, reply };
}
