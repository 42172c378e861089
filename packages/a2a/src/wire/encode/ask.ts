import type { Part } from "@a2a-js/sdk";
import { clip, describeForm, exampleValues, momentText } from "@troupe/core";
import type { InputRequest, PendingCall } from "@troupe/stream";

import { dataPart } from "../parts.ts";

type FormRequest = Extract<InputRequest, { readonly kind: "form" }>;
type ApprovalRequest = Extract<InputRequest, { readonly kind: "approval" }>;

/** Calls listed in the text; the data part holds all of them. */
const MAX_CALLS = 10;
/** UTF-16 units of a call's arguments in the text. */
const MAX_ARGUMENTS = 300;

/** Requests of a turn by step id; the task's own request has the key "". */
export type OpenRequests = ReadonlyMap<string, InputRequest>;

/** Everything a client needs that shows only text: each question, its options, and how to reply. */
export function questionsText(requests: OpenRequests): string {
  return [...requests]
    .map(([stepId, request]) =>
      request.kind === "approval"
        ? approvalText(request)
        : formText(request, { own: stepId === "", alone: requests.size === 1 }),
    )
    .join("\n\n");
}

function formText(
  request: FormRequest,
  { own, alone }: { readonly own: boolean; readonly alone: boolean },
): string {
  const { title, description } = request.form;
  // The title of a task's own form is the agent's title, which its client knows.
  const question = own && description !== "" ? [description] : [title, description];
  const reply = { requestId: request.requestId, values: exampleValues(request.form) };
  const lines = alone ? [] : [`Reply with a data part such as ${JSON.stringify(reply)}`];
  return [...question, describeForm(request.form, { inWords: alone }), ...lines, untilText(request)]
    .filter((line) => line !== "")
    .join("\n");
}

function approvalText(request: ApprovalRequest): string {
  const { calls, requestId } = request;
  const listed = calls.slice(0, MAX_CALLS);
  const lines = listed.map(callText);
  if (calls.length > MAX_CALLS) lines.push(`  and ${calls.length - MAX_CALLS} more`);
  const decisions = listed.map(({ callId }) => ({ callId, type: "approve" }));
  return [
    `${calls.length === 1 ? "This call waits" : "These calls wait"} for approval:`,
    ...lines,
    "A reply in words cannot approve. Send a message to this task with a data part that decides each call:",
    JSON.stringify({ requestId, decisions }),
    'Other decisions: {"callId":"...","type":"reject","reason":"..."}, {"callId":"...","type":"edit","arguments":{...}}.',
    untilText(request),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function callText({ callId, tool, arguments: args }: PendingCall): string {
  return `  ${tool} ${clip(JSON.stringify(args), MAX_ARGUMENTS)} (${callId})`;
}

function untilText({ expiresAt }: InputRequest): string {
  return expiresAt === undefined ? "" : `It can be answered until ${momentText(expiresAt)}.`;
}

/** What is asked as existing clients know it: the fields of a form, or the calls that wait. */
export function askPart(request: InputRequest): Part {
  const { requestId, expiresAt } = request;
  const expires = expiresAt === undefined ? {} : { expires_at: momentText(expiresAt) };
  if (request.kind === "form")
    return dataPart({
      user_input: true,
      request_id: requestId,
      ...expires,
      input_title: request.form.title,
      input_description: request.form.description,
      input_fields: request.form.fields,
      ...(request.form.access === undefined ? {} : { access: request.form.access }),
    });
  return dataPart({
    user_input: true,
    request_id: requestId,
    ...expires,
    input_title: "Approval",
    input_description: approvalText(request),
    input_fields: [],
    tool_calls: request.calls.map(({ callId, tool, arguments: args }) => ({ id: callId, name: tool, args })),
  });
}
