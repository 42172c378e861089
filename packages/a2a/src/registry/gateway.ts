import {
  AgentError,
  agentScope,
  collectResult,
  hasScope,
  type AgentGateway,
  type CallerOptions,
  type SendRequest,
} from "@troupe/core";

import type { RemoteRequest } from "../wire/request.ts";
import type { AgentRegistry } from "./create-registry.ts";

/**
 * Calls the agents of a registry by name. The result is put together from what the agent streamed:
 * answer and data from its finish, files by reference, usage added up.
 */
export function createA2AGateway(registry: Pick<AgentRegistry, "connection">): AgentGateway {
  return {
    async send(agent, request, options) {
      mayUse(agent, options);
      const connection = await registry.connection(agent);
      return connection.send(remoteRequest(request), options);
    },
    async await(agent, taskId, { onEvent, ...options }) {
      const connection = await registry.connection(agent);
      const collector = collectResult(agent);
      for await (const event of connection.join(taskId, options)) {
        collector.add(event);
        onEvent?.(event);
      }
      const result = collector.result();
      if (result !== undefined) return result;
      throw new AgentError("agent.protocol", `Agent "${agent}" ended its task without a finish.`);
    },
    async cancel(agent, taskId, options) {
      const connection = await registry.connection(agent);
      await connection.cancel(taskId, options);
    },
  };
}

/** Before it is sent: an agent of this process asks nobody, and a foreign one does not know our scopes. */
function mayUse(agent: string, { caller }: CallerOptions): void {
  const scope = agentScope(agent);
  if (caller === undefined || hasScope(caller.scopes, scope)) return;
  throw new AgentError(
    "agent.forbidden",
    `"${caller.id}" may not use agent "${agent}": they lack the scope "${scope}".`,
  );
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
