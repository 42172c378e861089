import { isTroupeError, type AgentEntry, type Log } from "@troupe/core";
import { insist } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

/** The agents a plan may use, and those the caller may not. */
export interface Team {
  readonly agents: readonly AgentEntry[];
  readonly forbidden: readonly AgentEntry[];
}

/** Called with a reason for the person when planning waits or uses the fallback. */
export type OnWait = (reason: string) => void;

interface PlanPatientlyOptions {
  /** Looks again at agents that are down. */
  readonly team: () => Promise<Team>;
  readonly onWait?: OnWait | undefined;
  /** How long the absence of an agent is waited out, in milliseconds; the same as for a step that runs. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Plans, and plans again where the plan needs an agent that has only just gone away and may be back in a
 * moment, such as while it or its MCP server restarts. The model is asked again only once an agent is back.
 */
export function planPatiently<T>(
  plan: (team: Team) => Promise<T>,
  { team, onWait, patienceMs, clock, log, signal }: PlanPatientlyOptions,
): Promise<T> {
  let failed: { readonly error: unknown; readonly agents: readonly AgentEntry[] } | undefined;
  const isAbsence = (error: unknown): boolean =>
    isUnreachable(error) &&
    (failed?.agents.some((agent) => mayReturn(agent) && clock.now() < (agent.since ?? 0) + patienceMs) ??
      false);
  const attempt = async (): Promise<T> => {
    const now = await team();
    if (failed !== undefined && !hasReturned(failed.agents, now.agents)) throw failed.error;
    const isFirst = failed === undefined;
    try {
      return await plan(now);
    } catch (error) {
      failed = { error, agents: now.agents };
      if (isFirst && isAbsence(error)) {
        const { message } = error as Error;
        log.info("planning waits for an agent", { reason: message });
        onWait?.(`${message} Waiting up to ${patienceMs / 1000} s for it to come back.`);
      }
      throw error;
    }
  };
  return insist(attempt, { patienceMs, clock, signal, isAbsence });
}

function isUnreachable(error: unknown): boolean {
  return isTroupeError(error) && error.code === "agent.unreachable";
}

/** One that was reached before, whose model answers: a key that is refused stays refused. */
function mayReturn({ status, name, url, capabilities }: AgentEntry): boolean {
  return status === "down" && name !== url && capabilities?.model !== false;
}

function hasReturned(before: readonly AgentEntry[], now: readonly AgentEntry[]): boolean {
  const down = new Set(before.flatMap(({ status, name }) => (status === "down" ? [name] : [])));
  return now.some(({ status, name }) => status === "up" && down.has(name));
}
