import type { Clock } from "@troupe/stream";

export interface InsistOptions {
  /** How long one absence is borne with, in milliseconds. */
  readonly patienceMs: number;
  /** Between two attempts, in milliseconds. 250 by default. */
  readonly pauseMs?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The other side is away, rather than unwilling: waiting may help. */
  readonly isAbsence: (error: unknown) => boolean;
}

/** Tries again while the other side is away. Throws what the last attempt threw, or the signal's reason. */
export async function insist<T>(attempt: () => Promise<T>, options: InsistOptions): Promise<T> {
  const { patienceMs, pauseMs = 250, clock, signal, isAbsence } = options;
  let until: number | undefined;
  for (;;) {
    const began = clock.now();
    try {
      return await attempt();
    } catch (error) {
      // The patience is for one absence: an attempt that took longer than that reached the other side.
      if (until === undefined || clock.now() - began > patienceMs) until = clock.now() + patienceMs;
      if (!isAbsence(error) || clock.now() >= until) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}
