import type { AgentCard, StreamResponse } from "@a2a-js/sdk";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { Log } from "@troupe/core";

import { negotiateExtensions } from "./extensions.ts";
import { noteRefusal } from "./limits/limit-gate.ts";
import { asProtocolError } from "./protocol-error.ts";

type Operation<P, R> = (params: P, context: ServerCallContext) => Promise<R>;
type Streaming<P> = (
  params: P,
  context: ServerCallContext,
) => AsyncGenerator<StreamResponse, void, undefined>;

/** Before each operation the extensions are settled; what is no protocol error is told as one sentence. */
export function guardedHandler(handler: A2ARequestHandler, card: AgentCard, log: Log): A2ARequestHandler {
  const once =
    <P, R>(operation: Operation<P, R>): Operation<P, R> =>
    async (params, context) => {
      try {
        negotiateExtensions(card, context);
        return await operation(params, context);
      } catch (error) {
        const known = asProtocolError(error, log);
        noteRefusal(context.user, known);
        throw known;
      }
    };
  const many = <P>(operation: Streaming<P>): Streaming<P> =>
    async function* (params, context) {
      try {
        negotiateExtensions(card, context);
        yield* operation(params, context);
      } catch (error) {
        const known = asProtocolError(error, log);
        noteRefusal(context.user, known);
        throw known;
      }
    };
  return {
    getAgentCard: () => handler.getAgentCard(),
    getAuthenticatedExtendedAgentCard: once((params, context) =>
      handler.getAuthenticatedExtendedAgentCard(params, context),
    ),
    sendMessage: once((params, context) => handler.sendMessage(params, context)),
    sendMessageStream: many((params, context) => handler.sendMessageStream(params, context)),
    getTask: once((params, context) => handler.getTask(params, context)),
    cancelTask: once((params, context) => handler.cancelTask(params, context)),
    listTasks: once((params, context) => handler.listTasks(params, context)),
    resubscribe: many((params, context) => handler.resubscribe(params, context)),
    createTaskPushNotificationConfig: once((params, context) =>
      handler.createTaskPushNotificationConfig(params, context),
    ),
    getTaskPushNotificationConfig: once((params, context) =>
      handler.getTaskPushNotificationConfig(params, context),
    ),
    listTaskPushNotificationConfigs: once((params, context) =>
      handler.listTaskPushNotificationConfigs(params, context),
    ),
    deleteTaskPushNotificationConfig: once((params, context) =>
      handler.deleteTaskPushNotificationConfig(params, context),
    ),
  };
}
