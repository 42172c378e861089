import type { A2ARequestHandler } from "@a2a-js/sdk/server";

import { checkParts } from "./check-parts.ts";
import { openStream } from "./limit-gate.ts";
import type { ServerLimits } from "./server-limits.ts";

/**
 * Keeps what a caller sends and what it has open within its limits, on every binding and before
 * anything is begun: these throw at once. A call that waits for its task counts as a stream, for it
 * holds a connection too. Nothing is done for each event.
 */
export function limitedHandler(handler: A2ARequestHandler, limits: ServerLimits): A2ARequestHandler {
  return {
    ...handler,
    sendMessage(params, context) {
      checkParts(params.message, limits);
      if (params.configuration?.returnImmediately !== true) openStream(context.user);
      return handler.sendMessage(params, context);
    },
    sendMessageStream(params, context) {
      checkParts(params.message, limits);
      openStream(context.user);
      return handler.sendMessageStream(params, context);
    },
    resubscribe(params, context) {
      openStream(context.user);
      return handler.resubscribe(params, context);
    },
  };
}
