import {
  FINISH_TOOL,
  NOT_ACCEPTED,
  RESPONSE_FORMAT,
  type ModelMessage,
  type ModelRequest,
} from "@troupe/core";

import { finishCall } from "./finish-call.ts";
import type { PlaybookCall, PlaybookMove } from "./playbook.ts";

/**
 * The request as a policy expects it. Policies are written for the `finish` tool; where the loop asks
 * for a structured response, the policy gets the question of the round before again.
 */
export function askedInMode(asked: ModelRequest): ModelRequest {
  const request = { ...asked, messages: withoutCorrections(asked.messages) };
  if (!asksForResponse(request)) return request;
  const messages = request.messages.slice(0, -1);
  const last = messages.at(-1);
  const drafted = last?.role === "assistant" && last.toolCalls.length === 0;
  return { ...request, messages: drafted ? messages.slice(0, -1) : messages };
}

/**
 * A policy's move in the form that the request allows. Without a `finish` tool, a complete answer is
 * plain text and any other one the fields of `finish` as JSON; a structured response is always JSON.
 */
export function inMode(request: ModelRequest, move: PlaybookMove): PlaybookMove {
  if (asksForResponse(request)) {
    const said = finishOf(move) ?? finishCall({ content: move.say ?? "" });
    return { say: JSON.stringify(said.arguments) };
  }
  const finish = finishOf(move);
  if (finish === undefined || request.tools.some((tool) => tool.name === FINISH_TOOL)) return move;
  const others = move.calls?.filter((call) => call !== finish) ?? [];
  // The policy finishes again once these are answered.
  if (others.length > 0) return { ...move, calls: others };
  const { content, is_task_complete: complete } = finish.arguments;
  if (complete === true && typeof content === "string" && content !== "") return { say: content };
  return { say: JSON.stringify(finish.arguments) };
}

/** A policy cannot correct an answer, so it gets the question again without the correction. */
function withoutCorrections(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const isCorrection = (message: ModelMessage | undefined): boolean =>
    message?.role === "user" && message.text.startsWith(NOT_ACCEPTED);
  if (!messages.some(isCorrection)) return messages;
  return messages.filter((message, index) => !isCorrection(message) && !isCorrection(messages[index + 1]));
}

function asksForResponse(request: ModelRequest): boolean {
  return request.responseFormat?.name === RESPONSE_FORMAT;
}

function finishOf(move: PlaybookMove): PlaybookCall | undefined {
  return move.calls?.find((call) => call.name === FINISH_TOOL);
}
