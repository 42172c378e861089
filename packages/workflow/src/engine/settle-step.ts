import { isTroupeError } from "@troupe/core";
import type { Json } from "@troupe/stream";

import type { Settlement } from "./recorded-run.ts";
import { toSettledError } from "./settled-error.ts";

export type StepFunction = (a: { readonly signal: AbortSignal }) => Promise<Json>;

/**
 * Calls a step's function, not at all once its signal has aborted. What it throws is a value; `onBreak` hears of
 * an error that is none of ours and comes of no abort: of that the value tells no more than its kind.
 */
export async function settleStep(
  fn: StepFunction,
  signal: AbortSignal,
  onBreak: (error: unknown) => void,
): Promise<Settlement> {
  try {
    signal.throwIfAborted();
    return { ok: true, value: (await fn({ signal })) ?? null };
  } catch (error) {
    if (!isTroupeError(error) && !signal.aborted) onBreak(error);
    return { ok: false, error: toSettledError(error) };
  }
}
