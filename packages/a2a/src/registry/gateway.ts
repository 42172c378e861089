import { AgentError, collectResult, type AgentGateway, type SendRequest } from "@troupe/core";

import type { RemoteRequest } from "../wire/request.ts";
import type { AgentRegistry } from "./create-registry.ts";

/**
 * Calls the agents of a registry by name. The result is put together from what the agent streamed:
 * answer and data from its finish, files by reference, usage added up.
 */
export function createA2AGateway(registry: Pick<AgentRegistry, "connection">): AgentGateway {
  return {
    async send(agent, request, { signal }) {
      const connection = await registry.connection(agent);
      return connection.send(remoteRequest(request), { signal });
    },
    async await(agent, taskId, { signal, onEvent }) {
      const connection = await registry.connection(agent);
      const collector = collectResult(agent);
      for await (const event of connection.join(taskId, { signal })) {
        collector.add(event);
        onEvent?.(event);
      }
      const result = collector.result();
      if (result !== undefined) return result;
      throw new AgentError("agent.protocol", `Agent "${agent}" ended its task without a finish.`);
    },
    async cancel(agent, taskId) {
      const connection = await registry.connection(agent);
      await connection.cancel(taskId);
    },
  };
}

function remoteRequest({ messageId, contextId, taskId, delegation, reply }: SendRequest): RemoteRequest {
  return {
    messageId,
    delegation,
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(reply === undefined ? {} : { reply }),
  };
}
