import { callArguments, type ModelRequest } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";

import type { PlaybookCall } from "./playbook.ts";

/** The result of a tool, with the arguments of its call. */
export interface PlaybookResult {
  readonly callId: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly text: string;
  readonly isError: boolean;
}

/** The last message of a person, or of the loop on their behalf. Empty when there is none. */
export function lastUserText(request: ModelRequest): string {
  return request.messages.findLast((message) => message.role === "user")?.text ?? "";
}

/** Every call so far, in order, with or without a result. */
export function callsSoFar(request: ModelRequest): readonly PlaybookCall[] {
  return assistantCalls(request).map(({ name, arguments: raw }) => ({ name, arguments: callArguments(raw) }));
}

/** Every result so far, in order; those of one tool when `name` is given. */
export function toolResults(request: ModelRequest, name?: string): readonly PlaybookResult[] {
  const asked = new Map(assistantCalls(request).map((call) => [call.callId, call.arguments]));
  return request.messages
    .flatMap((message) => (message.role === "tool" ? message.results : []))
    .filter((result) => name === undefined || result.name === name)
    .map((result) => ({
      callId: result.callId,
      name: result.name,
      arguments: callArguments(asked.get(result.callId) ?? ""),
      text: result.text,
      isError: result.isError,
    }));
}

function assistantCalls(request: ModelRequest) {
  return request.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
}
