import type { RemoteAgent } from "@troupe/a2a/client";

import type { ChatTransport } from "./transport.ts";

/** What a chat needs of a connection, such as `connectAgent` makes. */
export type ChatConnection = Pick<RemoteAgent, "stream" | "join" | "cancel" | "tasks">;

/** A transport over A2A. It connects at the first call, and again at the next after one that failed. */
export function agentTransport(connect: () => Promise<ChatConnection>): ChatTransport {
  let connection: Promise<ChatConnection> | undefined;
  const agent = async (): Promise<ChatConnection> => {
    connection ??= connect();
    try {
      return await connection;
    } catch (error) {
      connection = undefined;
      throw error;
    }
  };
  return {
    async *send({ threadId, ...request }, options) {
      yield* (await agent()).stream({ ...request, contextId: threadId }, options);
    },
    async *join(taskId, options) {
      yield* (await agent()).join(taskId, options);
    },
    async cancel(taskId) {
      await (await agent()).cancel(taskId);
    },
    async tasks(threadId, options) {
      return (await agent()).tasks(threadId, options);
    },
  };
}
