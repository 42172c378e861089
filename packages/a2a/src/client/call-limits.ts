/** Bounds of the calls to one agent. Times are in milliseconds. */
export interface CallLimits {
  /** Until a question about a task, a listing or a cancellation is answered. 10,000 by default. */
  readonly answerMs?: number;
  /**
   * Until a message is taken, or a stream brings its first event. 30,000 by default; 300,000 for an
   * agent that is none of ours, as it may do all of its work before it says a word.
   */
  readonly firstEventMs?: number;
  /** Silence on a stream that has begun, heartbeats counted as sound. 45,000 by default. */
  readonly idleMs?: number;
  /** From the call to its end, the wait for a place included. None by default. */
  readonly totalMs?: number;
  /** How long an agent that has taken a task may be away before the task is given up. 3,000 by default. */
  readonly awayMs?: number;
  /** Longest wait that is granted to an agent that asks for one (`Retry-After`). 30,000 by default. */
  readonly waitMs?: number;
  /**
   * Attempts after the first, as long as nothing has come of it. 1 by default, so that an agent in
   * trouble is never asked more than twice as often as it would be.
   */
  readonly retries?: number;
  /** Calls at the same time; a stream is one for as long as it is read. 1,024 by default. */
  readonly maxConcurrent?: number;
  /** Calls that wait for a place; one more is refused as `agent.busy`. 1,024 by default. */
  readonly maxWaiting?: number;
  /** Failures in a row after which the agent is left alone. 5 by default. */
  readonly failures?: number;
  /** How long it is left alone at first; twice as long with every trial that fails, up to 10,000. 500 by default. */
  readonly restMs?: number;
}

export type ResolvedLimits = Required<Omit<CallLimits, "totalMs">> & Pick<CallLimits, "totalMs">;

/** Three heartbeats of our servers. */
const IDLE_MS = 45_000;

export function resolveLimits(limits: CallLimits, agent: { readonly ours: boolean }): ResolvedLimits {
  return {
    answerMs: 10_000,
    firstEventMs: agent.ours ? 30_000 : 300_000,
    idleMs: IDLE_MS,
    awayMs: 3_000,
    waitMs: 30_000,
    retries: 1,
    maxConcurrent: 1_024,
    maxWaiting: 1_024,
    failures: 5,
    restMs: 500,
    ...limits,
  };
}
