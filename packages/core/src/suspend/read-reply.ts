import type { Decision, InputForm, PendingCall } from "@troupe/stream";

import { checkDecisions } from "../forms/check-decisions.ts";
import { checkFormValues } from "../forms/check-form-values.ts";
import { describeUnreadReply } from "../forms/form-text.ts";
import { readFormText } from "../forms/read-form-text.ts";
import { describeReply } from "../loop/prompt.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { SuspendedRun } from "../ports/suspended-runs.ts";

/** What a turn brings to a run that waits. */
export type Reply =
  /** The form is filled; `text` says so to the model. */
  | { readonly kind: "filled"; readonly text: string }
  /** Words that fill nothing: a new message in the run that waits. `why` is for the person, if the form is asked again. */
  | { readonly kind: "words"; readonly text: string; readonly why: string }
  | { readonly kind: "decided"; readonly decisions: ReadonlyMap<string, Decision> }
  /** It is no answer to what was asked: the person is asked again and told why. */
  | { readonly kind: "again"; readonly issues: readonly string[] };

/** Reads a turn as the answer to what its run waits for. Decides nothing that was not decided. */
export function readReply({ request }: SuspendedRun, turn: AgentRequest): Reply {
  const { reply, text } = turn;
  if (reply !== undefined && reply.requestId !== request.requestId) {
    return again("That answers an earlier question; this one is still open.");
  }
  if (request.kind === "approval") return readDecisions(request.calls, reply);
  if (reply === undefined) return readWords(request.form, text);
  if (!("values" in reply)) return again("A form is to be filled in here; there is no call to decide about.");
  return fill(request.form, reply.values, "");
}

function readDecisions(calls: readonly PendingCall[], reply: AgentRequest["reply"]): Reply {
  if (reply === undefined || !("decisions" in reply)) {
    const tools = [...new Set(calls.map((call) => call.tool))].join(", ");
    return again(
      `A reply in words cannot approve a call: approve, edit or reject each call that waits (${tools}). Nothing has run.`,
    );
  }
  const checked = checkDecisions(calls, reply.decisions);
  if (checked.ok) return { kind: "decided", decisions: checked.decisions };
  return again(...checked.issues, "Nothing has run.");
}

function readWords(form: InputForm, text: string): Reply {
  const read = readFormText(form, text);
  if (read !== undefined) return fill(form, read.values, read.rest);
  if (text.trim() === "") return again("Nothing was filled in.");
  return { kind: "words", text, why: describeUnreadReply(form, text) };
}

function fill(form: InputForm, values: Parameters<typeof checkFormValues>[1], rest: string): Reply {
  const checked = checkFormValues(form, values);
  if (!checked.ok) return again(...checked.issues);
  const text = describeReply(checked.values, form);
  return { kind: "filled", text: rest === "" ? text : `${text}\nThey also wrote: ${rest}` };
}

function again(...issues: readonly string[]): Reply {
  return { kind: "again", issues };
}
