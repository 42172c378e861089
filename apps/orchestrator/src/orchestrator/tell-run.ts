import type { Log } from "@troupe/core";
import type { AgentEvent, ArtifactRef, ErrorInfo } from "@troupe/stream";

import type { Bookmarks } from "./bookmarks.ts";
import { followRun } from "./follow-run.ts";
import { interruptedEnd, interruption } from "./interruption.ts";
import type { RunState } from "./state.ts";
import type { TurnEntry } from "./turn-entry.ts";

export const CANCELED = "canceled by the caller";

/**
 * Tells one turn of a run that goes on in the engine, and cancels the run when `signal` aborts. A run
 * that the engine cannot go on with ends the turn as interrupted, and is not over.
 */
export async function* tellRun(
  entry: TurnEntry,
  options: {
    readonly state: RunState;
    readonly bookmarks: Bookmarks;
    readonly log: Log;
    /** The request that this turn brought an answer to. */
    readonly answers: string | undefined;
    /** Why that answer was not taken; told with the end of the turn. */
    readonly notTaken?: ErrorInfo | undefined;
    readonly locate: <T extends ArtifactRef>(file: T) => Promise<T>;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<AgentEvent> {
  const { state, bookmarks, locate, signal, notTaken } = options;
  const { runId, from, toldAgain } = entry;
  if (toldAgain !== undefined) {
    const first = await firstEvent(state, runId, signal);
    // It ended before there was a plan: the engine never heard of it.
    if (first?.type === "finish") {
      yield { ...first, seq: 0 };
      return;
    }
  }
  const cancel = (): void => {
    state.engine.cancel(runId, CANCELED).catch((error: unknown) => {
      options.log.warn("a run was not canceled", { runId, error });
    });
  };
  const left = new AbortController();
  const outcome = state.engine.result(runId, { signal: left.signal });
  // A run that cannot go on writes no end into its log.
  outcome.catch(() => left.abort());
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    const answered = new Set(entry.answered);
    if (options.answers !== undefined) answered.add(options.answers);
    const turn = followRun({
      log: state.log,
      runId,
      from,
      ...(toldAgain === undefined ? {} : { caughtUp: toldAgain }),
      answered,
      signals: async () => (await state.engine.recorded(runId))?.signals ?? new Map(),
      result: () => outcome,
      locate,
      signal: left.signal,
      onWaiting: (position) => bookmarks.set(runId, { position, answered }),
    });
    for await (const event of turn) {
      const over = event.type === "finish" && event.stepId === undefined;
      if (over && event.outcome !== "input-required") bookmarks.delete(runId);
      yield over && notTaken !== undefined ? { ...event, error: event.error ?? notTaken } : event;
    }
    if (left.signal.aborted) await outcome;
  } catch (error) {
    const stuck = (await state.engine.stuck([runId])).get(runId);
    const stands = stuck === undefined ? null : await state.log.view(runId);
    if (stands === null) throw error;
    yield interruptedEnd(stands, interruption(stuck), await state.log.end(runId));
  } finally {
    signal.removeEventListener("abort", cancel);
    left.abort();
  }
}

/** Waits for it: a run may still be planned. */
async function firstEvent(
  { log }: RunState,
  runId: string,
  signal: AbortSignal,
): Promise<AgentEvent | undefined> {
  for await (const { event } of log.read(runId, { from: 0, signal })) return event;
  return undefined;
}
