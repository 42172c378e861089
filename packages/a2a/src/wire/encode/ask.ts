import type { Part } from "@a2a-js/sdk";
import { clip, momentText } from "@troupe/core";
import type { InputRequest, PendingCall } from "@troupe/stream";

import { dataPart } from "../parts.ts";

/** Calls that are told in words; all of them stand in the data part. */
const MAX_CALLS = 10;
/** UTF-16 units of a call's arguments in words. */
const MAX_ARGUMENTS = 300;

/** What a person is asked, for a client that shows nothing but text. A form says it in its title. */
export function askText(request: InputRequest): string {
  const until =
    request.expiresAt === undefined ? "" : `It can be answered until ${momentText(request.expiresAt)}.`;
  if (request.kind === "form")
    return [request.form.title, request.form.description, until].filter((text) => text !== "").join("\n");
  const { calls } = request;
  const lines = calls.slice(0, MAX_CALLS).map(callText);
  if (calls.length > MAX_CALLS) lines.push(`  and ${calls.length - MAX_CALLS} more`);
  const what = calls.length === 1 ? "This call waits" : "These calls wait";
  return `${what} for approval:\n${lines.join("\n")}\nReply with a decision for each; words alone decide nothing.${until === "" ? "" : ` ${until}`}`;
}

function callText({ callId, tool, arguments: args }: PendingCall): string {
  return `  ${tool} ${clip(JSON.stringify(args), MAX_ARGUMENTS)} (${callId})`;
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
    input_description: askText(request),
    input_fields: [],
    tool_calls: request.calls.map(({ callId, tool, arguments: args }) => ({ id: callId, name: tool, args })),
  });
}
