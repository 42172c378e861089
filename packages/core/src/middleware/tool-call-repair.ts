import type { ModelMessage, ModelToolCall, ModelToolResult } from "../ports/model.ts";
import type { Middleware } from "./middleware.ts";

const NO_RESULT = "There is no result of this call; it may or may not have been made.";

type Assistant = Extract<ModelMessage, { role: "assistant" }>;

/**
 * Makes a restored or truncated conversation one that providers take: right behind each message with
 * calls stand the results of these calls, one each, under ids that occur once. A call without a result
 * gets one that says so; a result without its call, and a second one of the same call, is left out.
 */
export function toolCallRepair(): Middleware {
  return {
    name: "tool-call-repair",
    beforeModel(request) {
      return isValid(request.messages) ? request : { ...request, messages: repair(request.messages) };
    },
  };
}

function isValid(messages: readonly ModelMessage[]): boolean {
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") continue;
    if (message.role === "tool") {
      const before = messages[index - 1];
      if (before?.role !== "assistant" || before.toolCalls.length === 0) return false;
      continue;
    }
    const { toolCalls } = message;
    if (toolCalls.length === 0) continue;
    const next = messages[index + 1];
    if (next?.role !== "tool" || next.results.length !== toolCalls.length) return false;
    const answered = new Set(next.results.map((result) => result.callId));
    for (const { callId } of toolCalls) {
      if (seen.has(callId) || !answered.has(callId)) return false;
      seen.add(callId);
    }
  }
  return true;
}

function repair(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const taken = new Set<string>();
  const repaired: ModelMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") continue;
    if (message.role === "user" || message.toolCalls.length === 0) {
      repaired.push(message);
      continue;
    }
    const calls = once(message.toolCalls);
    const results = resultsBehind(messages, index);
    const named = calls.map((call) => ({ call, callId: freeId(call.callId, taken) }));
    const assistant: Assistant = {
      ...message,
      toolCalls: named.map(({ call, callId }) => ({ ...call, callId })),
    };
    repaired.push(assistant, {
      role: "tool",
      results: named.map(({ call, callId }) => ({
        ...(results.get(call.callId) ?? { name: call.name, text: NO_RESULT, isError: true }),
        callId,
      })),
    });
  }
  return repaired;
}

/** Of calls with one id within a message the first: their results cannot be told apart. */
function once(calls: readonly ModelToolCall[]): readonly ModelToolCall[] {
  return calls.filter((call, index) => calls.findIndex((other) => other.callId === call.callId) === index);
}

/** First results by call, up to the next message of the model. */
function resultsBehind(
  messages: readonly ModelMessage[],
  index: number,
): ReadonlyMap<string, ModelToolResult> {
  const found = new Map<string, ModelToolResult>();
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined || message.role === "assistant") break;
    if (message.role === "user") continue;
    for (const result of message.results) if (!found.has(result.callId)) found.set(result.callId, result);
  }
  return found;
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
  taken.add(id);
  return id;
}
