import { AgentError, type AgentGateway, type AgentResult, type SendRequest } from "@troupe/core";
import type { AgentEvent, AgentEventOf, ArtifactRef, InputRequest, Usage } from "@troupe/stream";

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
      const collected = collect();
      for await (const event of connection.join(taskId, { signal })) {
        collected.push(event);
        onEvent?.(event);
      }
      return collected.result(agent);
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

const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  modelCalls: 0,
};

function collect(): { push(event: AgentEvent): void; result(agent: string): AgentResult } {
  const artifacts = new Map<string, ArtifactRef>();
  let usage = NO_USAGE;
  let request: InputRequest | undefined;
  let finish: AgentEventOf<"finish"> | undefined;
  return {
    push(event) {
      if (event.type === "artifact") artifacts.set(event.artifact.id, event.artifact);
      else if (event.type === "usage") usage = add(usage, event.usage);
      else if (event.type === "input-required" && event.stepId === undefined) request = event.request;
      else if (event.type === "finish" && event.stepId === undefined) finish = event;
    },
    result(agent) {
      if (finish === undefined)
        throw new AgentError("agent.protocol", `Agent "${agent}" ended its task without a finish.`);
      const { outcome, response, error } = finish;
      return {
        agent,
        outcome,
        answer: response.content,
        data: response.data,
        citations: response.citations,
        artifacts: [...artifacts.values()],
        usage,
        ...(error === undefined ? {} : { error }),
        ...(outcome === "input-required" && request !== undefined ? { request } : {}),
      };
    },
  };
}

function add(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    modelCalls: a.modelCalls + b.modelCalls,
  };
}
