import { isTroupeError } from "@troupe/core";
import { insist } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

/** Between two tries of a log that is away, in milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Asks a log of events for as long as its storage is away: a run cannot go on without, and is not to fail for
 * it. Throws the signal's reason, and what is wrong otherwise.
 */
export function insistOnLog<T>(
  ask: () => Promise<T>,
  how: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<T> {
  return insist(ask, { ...how, patienceMs: Infinity, pauseMs: PAUSE_MS, isAbsence: isAway });
}

const isAway = (error: unknown): boolean =>
  isTroupeError(error) && (error.code === "store.io" || error.code === "store.full");
