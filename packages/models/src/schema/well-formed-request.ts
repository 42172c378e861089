import type { ModelMessage, ModelRequest } from "@troupe/core";
import { unreachable } from "@troupe/stream";

/**
 * The request without half surrogate pairs. A document, a tool or a person may bring one in; the
 * APIs answer 400 to it, and would at every further round, as it stays in the conversation.
 * Arguments of calls see to it themselves, in `callArguments`.
 */
export function wellFormedRequest(request: ModelRequest): ModelRequest {
  return {
    ...request,
    system: request.system.toWellFormed(),
    messages: request.messages.map(wellFormedMessage),
  };
}

function wellFormedMessage(message: ModelMessage): ModelMessage {
  switch (message.role) {
    case "user":
    case "assistant":
      return { ...message, text: message.text.toWellFormed() };
    case "tool":
      return {
        ...message,
        results: message.results.map((result) => ({ ...result, text: result.text.toWellFormed() })),
      };
    default:
      return unreachable(message);
  }
}
