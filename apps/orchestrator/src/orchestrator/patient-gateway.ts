import { isTroupeError, type AgentGateway } from "@troupe/core";
import type { AgentEvent, Clock } from "@troupe/stream";

/** How long an agent may take to start. */
const START_MS = 10_000;
/** How long one that has taken a task may take to be back: it was there, so somebody may start it again. */
const RETURN_MS = 20_000;
const PAUSE_MS = 250;

/**
 * Bears with agents that are away: all processes start at once, a run that goes on after a restart
 * may need an agent before it listens, and one that died is started again. A task is joined again
 * where it was left; that it is lost, the agent says once it is back, and what then is the
 * workflow's to decide.
 */
export function patientGateway(gateway: AgentGateway, clock: Clock): AgentGateway {
  return {
    send: (agent, request, options) =>
      insist(() => gateway.send(agent, request, options), START_MS, clock, options.signal),
    await(agent, taskId, options) {
      // A task that is joined again is told from its start.
      const heard = new Set<string>();
      const onEvent = (event: AgentEvent): void => {
        const place = `${event.stepId ?? ""}/${event.attempt}/${event.seq}`;
        if (heard.has(place)) return;
        heard.add(place);
        options.onEvent?.(event);
      };
      const join = () => gateway.await(agent, taskId, { ...options, onEvent });
      return insist(join, RETURN_MS, clock, options.signal);
    },
    cancel: (agent, taskId, options) => gateway.cancel(agent, taskId, options),
  };
}

/** Tries again while the agent is absent, for so many milliseconds. */
export async function insist<T>(
  attempt: () => Promise<T>,
  patienceMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<T> {
  let until: number | undefined;
  for (;;) {
    const began = clock.now();
    try {
      return await attempt();
    } catch (error) {
      // The patience is for one absence: an attempt that took longer than that reached the agent.
      if (until === undefined || clock.now() - began > patienceMs) until = clock.now() + patienceMs;
      if (!isAbsent(error) || clock.now() >= until) throw error;
      await clock.sleep(PAUSE_MS, signal);
    }
  }
}

/** An agent that was never reached has no name yet, so it may be unknown. */
function isAbsent(error: unknown): boolean {
  return isTroupeError(error) && (error.code === "agent.unreachable" || error.code === "agent.unknown");
}
