import {
  AgentError,
  agentScope,
  collectResult,
  hasScope,
  isTroupeError,
  systemClock,
  type AgentGateway,
  type CallerOptions,
  type SendRequest,
} from "@troupe/core";
import { insist } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import type { RemoteRequest } from "../wire/request.ts";
import { START_MS, type AgentRegistry } from "./create-registry.ts";

export interface GatewayOptions {
  readonly clock?: Clock;
  /** How long one that has taken a task may take to be known again, in milliseconds. 20,000 by default. */
  readonly returnMs?: number;
}

/**
 * Calls the agents of a registry by name. It bears with agents that are away: all processes start at
 * once, a run that goes on after a restart may need an agent before it listens, and one that died is
 * started again. The result is put together from what the agent streamed:
 * answer and data from its finish, files by reference, usage added up.
 */
export function createA2AGateway(
  registry: Pick<AgentRegistry, "connection">,
  { clock = systemClock, returnMs = 20_000 }: GatewayOptions = {},
): AgentGateway {
  /** Harmless to repeat: what was sent has its id, and joins what it began. */
  const patient = <T>(patienceMs: number, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> =>
    insist(attempt, { patienceMs, clock, signal, isAbsence });
  return {
    async send(agent, request, options) {
      mayUse(agent, options);
      return patient(START_MS, options.signal, async () => {
        const connection = await registry.connection(agent);
        return connection.send(remoteRequest(request), options);
      });
    },
    async await(agent, taskId, { onEvent, ...options }) {
      const known = () => registry.connection(agent, { anyway: true });
      const connection = await patient(returnMs, options.signal, known);
      // From here on the connection itself follows the task across an absence, and tells nothing twice.
      const collector = collectResult(agent);
      for await (const event of connection.join(taskId, options)) {
        collector.add(event);
        const room = onEvent?.(event);
        if (room !== undefined) await room;
      }
      const result = collector.result();
      if (result !== undefined) return result;
      throw new AgentError("agent.protocol", `Agent "${agent}" ended its task without a finish.`);
    },
    async cancel(agent, taskId, options) {
      const connection = await registry.connection(agent, { anyway: true });
      await connection.cancel(taskId, options);
    },
  };
}

/** An agent that was never reached has no name yet, so it may be unknown. */
function isAbsence(error: unknown): boolean {
  if (!isTroupeError(error)) return false;
  return error.code === "agent.unreachable" || (error.code === "agent.unknown" && error.retryable);
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
