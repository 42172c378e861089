import { checkDecisions, checkFormValues, describeIssues, inputReplySchema } from "@troupe/core";
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
  const checked = checkDecisions(request.calls, reply.decisions);
  return checked.ok ? { ok: true, reply } : checked;
}
