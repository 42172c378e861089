import type { Log } from "@troupe/core";
import { backoffMs } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { CallFailure } from "./call-failure.ts";
import { isConnectionError, neverArrived } from "./errors.ts";

export interface AttemptPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  /** Longest wait that is granted to an agent that asks for one, in milliseconds. */
  readonly waitMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

export interface Attempted {
  /** It may run twice without harm: a question, or a message whose id the agent knows again. */
  readonly resendable: boolean;
  readonly signal: AbortSignal;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Makes one request, again if it brought nothing and asking again may help: when it did not run, or
 * may run twice. `run` resolves with the first thing that comes, so that nothing is ever told twice.
 */
export async function attempted<T>(
  policy: AttemptPolicy,
  call: Attempted,
  run: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await run();
    } catch (error) {
      if (call.signal.aborted || failures > policy.retries || !mayRepeat(error, call)) throw error;
      const pause = pauseMs(error, failures, policy);
      if (pause === undefined) throw error;
      policy.log.debug("a call to an agent is made again", {
        attempt: failures + 1,
        pauseMs: Math.round(pause),
      });
      await policy.clock.sleep(pause, call.signal);
    }
  }
}

/** Undefined where the agent wants to be left alone for longer than is granted. */
export function pauseMs(
  error: unknown,
  failures: number,
  { waitMs, random }: Pick<AttemptPolicy, "waitMs" | "random">,
): number | undefined {
  return backoffMs(failures, {
    firstMs: FIRST_PAUSE_MS,
    mostMs: LONGEST_PAUSE_MS,
    askedMs: error instanceof CallFailure ? error.retryAfterMs : undefined,
    longestAskedMs: waitMs,
    random,
  });
}

function mayRepeat(error: unknown, { resendable }: Attempted): boolean {
  if (error instanceof CallFailure) return error.kind === "busy" || (error.kind === "gateway" && resendable);
  return neverArrived(error) || (resendable && isConnectionError(error));
}
