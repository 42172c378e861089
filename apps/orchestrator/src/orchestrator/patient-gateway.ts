import { isTroupeError, type AgentGateway } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** How long an agent may take to start, or to be started again. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 250;

/**
 * Bears with agents that are just starting: all processes start at once, and a run that goes on after
 * a restart may need an agent before it listens. What never reached an agent is tried again for 10 s;
 * work that was lost is not, that is the workflow's to decide.
 */
export function patientGateway(gateway: AgentGateway, clock: Clock): AgentGateway {
  return {
    send: (agent, request, options) =>
      insist(() => gateway.send(agent, request, options), clock, options.signal),
    async await(agent, taskId, options) {
      let heard = false;
      const attempt = () =>
        gateway.await(agent, taskId, {
          ...options,
          onEvent: (event) => {
            heard = true;
            options.onEvent?.(event);
          },
        });
      return insist(attempt, clock, options.signal, () => !heard);
    },
    cancel: (agent, taskId) => gateway.cancel(agent, taskId),
  };
}

async function insist<T>(
  attempt: () => Promise<T>,
  clock: Clock,
  signal: AbortSignal,
  mayRepeat: () => boolean = () => true,
): Promise<T> {
  const until = clock.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAbsent(error) || !mayRepeat() || clock.now() >= until) throw error;
      await clock.sleep(PAUSE_MS, signal);
    }
  }
}

/** An agent that was never reached has no name yet, so it may be unknown. */
function isAbsent(error: unknown): boolean {
  return isTroupeError(error) && (error.code === "agent.unreachable" || error.code === "agent.unknown");
}
