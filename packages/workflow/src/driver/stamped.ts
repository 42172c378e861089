import type { Clock, Json, Usage } from "@troupe/stream";

import { fromJson, toJson } from "../engine/json.ts";
import type { Settled } from "../engine/port.ts";
import { toSettledError, type SettledError } from "../engine/settled-error.ts";

/**
 * What a step function journals: its value or its error with the times it ran between. The driver
 * has no clock; every time it knows comes out of the journal, so a replay knows the same.
 */
export type Stamped<T> = { readonly startedAt: number; readonly endedAt: number } & (
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: SettledError;
      /** What was used all the same, where that is known. */
      readonly usage?: Usage;
    }
);

/** @param known what is journaled beside an error */
export async function stamp<T extends object>(
  clock: Clock,
  fn: () => Promise<T>,
  known: () => { readonly usage?: Usage } = () => ({}),
): Promise<Json> {
  const startedAt = clock.now();
  try {
    const value = await fn();
    return toJson({ startedAt, endedAt: clock.now(), ok: true, value });
  } catch (error) {
    return toJson({ startedAt, endedAt: clock.now(), ok: false, error: toSettledError(error), ...known() });
  }
}

/** Reads it back; an error of the engine itself has no times of its own and gets `lastAt`. */
export function readStamp<T>(settled: Settled, lastAt: number): Stamped<T> {
  if (settled.ok) return fromJson<Stamped<T>>(settled.value);
  return { startedAt: lastAt, endedAt: lastAt, ok: false, error: settled.error };
}
