import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";

import { accountOf, noteRefusal } from "./limit-gate.ts";
import { checkParts } from "./check-parts.ts";
import type { ServerLimits } from "./server-limits.ts";

/**
 * Keeps what a caller sends and what it has open within its limits, on every binding and before
 * anything is begun. A call that waits for its task counts as a stream: it holds a connection too.
 */
export function limitedHandler(handler: A2ARequestHandler, limits: ServerLimits): A2ARequestHandler {
  async function* stream<T>(
    context: ServerCallContext,
    open: () => AsyncGenerator<T, void, undefined>,
  ): AsyncGenerator<T, void, undefined> {
    const release = accountOf(context.user)?.stream();
    try {
      yield* open();
    } finally {
      release?.();
    }
  }
  async function* noted<T>(
    context: ServerCallContext,
    events: AsyncGenerator<T, void, undefined>,
  ): AsyncGenerator<T, void, undefined> {
    try {
      yield* events;
    } catch (error) {
      noteRefusal(context.user, error);
      throw error;
    }
  }
  return {
    ...handler,
    async sendMessage(params, context) {
      try {
        checkParts(params.message, limits);
        const release = accountOf(context.user)?.stream();
        try {
          return await handler.sendMessage(params, context);
        } finally {
          release?.();
        }
      } catch (error) {
        noteRefusal(context.user, error);
        throw error;
      }
    },
    sendMessageStream: (params, context) =>
      noted(
        context,
        stream(context, () => {
          checkParts(params.message, limits);
          return handler.sendMessageStream(params, context);
        }),
      ),
    resubscribe: (params, context) =>
      noted(
        context,
        stream(context, () => handler.resubscribe(params, context)),
      ),
  };
}
