import { InputError, isTroupeError, TroupeError } from "@troupe/core";
import type { AgentEvent, ArtifactRef } from "@troupe/stream";
import { eventsSoFar, type RunOutcome, type RunRecords } from "@troupe/workflow";

import { withReport } from "./final-response.ts";
import { interruption } from "./interruption.ts";
import type { RunState } from "./state.ts";

/** An event with its place in the log of its run; whoever comes back goes on from the one behind it. */
export interface WatchedEvent {
  /** Counted from 0; the `seq` of the event is the same. */
  readonly position: number;
  readonly event: AgentEvent;
}

export interface WatchOptions {
  /** Position of the first event to be told; the first of all when absent. */
  readonly from?: number;
  readonly signal?: AbortSignal;
}

/**
 * The events of a run from a position on, as they stand in its log and then as they come, to the end of
 * the run. It cancels nothing when it is left. A run that cannot go on throws why; one whose
 * orchestrator is closed just ends. Throws an `InputError` where there is no such run, and where one that
 * has not ended is asked for what comes behind its next event: nobody can have seen so much of it.
 */
export async function* watchRun(
  state: RunState,
  runId: string,
  locate: <T extends ArtifactRef>(file: T) => Promise<T>,
  { from = 0, signal }: WatchOptions = {},
): AsyncGenerator<WatchedEvent> {
  const view = await state.log.view(runId);
  if (view === null) throw new InputError("input.not-found", `There is no run "${runId}".`);
  const end = await state.log.end(runId);
  if (view.outcome !== undefined && from >= end) return;
  if (from > end) throw new InputError("input.invalid", beyond(runId, from, end));
  const left = new AbortController();
  const leave = (): void => left.abort();
  if (signal?.aborted === true) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  let broken: unknown;
  let ended: Promise<RunOutcome | undefined> | undefined;
  /** A run that cannot go on writes no end into its log. */
  const listen = (): Promise<RunOutcome | undefined> =>
    (ended ??= state.engine.result(runId, { signal: left.signal }).catch((error: unknown) => {
      // One that never got a plan is not the engine's; its end stands in the log.
      if (isTroupeError(error) && error.code === "input.not-found") return undefined;
      broken = error;
      leave();
      return undefined;
    }));
  let next = from;
  try {
    const stuck = await state.engine.stuck([runId]);
    if (stuck.has(runId)) {
      broken = stuck.get(runId);
      leave();
    } else if (view.status !== "planning") void listen();
    for await (const { position, event } of state.log.read(runId, { from, signal: left.signal })) {
      const outcome = isEnd(event) ? await listen() : undefined;
      // Whoever comes back has the end with all that belongs to it.
      if (isEnd(event) && broken !== undefined) break;
      void listen();
      next = position + 1;
      yield { position, event: await told({ ...event, seq: position }, outcome, locate) };
    }
    if (signal?.aborted === true || broken === undefined) return;
    if (isTroupeError(broken) && broken.code === "workflow.closed") return;
    // How far it came, before why it comes no further.
    for (const { position, event } of await eventsSoFar(state.log, runId, next)) {
      if (isEnd(event)) break;
      yield { position, event: await told({ ...event, seq: position }, undefined, locate) };
    }
    const { code, message } = interruption(broken);
    throw new TroupeError(code, message, { cause: broken, retryable: true });
  } finally {
    signal?.removeEventListener("abort", leave);
    leave();
  }
}

function beyond(runId: string, from: number, end: number): string {
  const last = end === 0 ? "has no event yet" : `has its last event so far at position ${end - 1}`;
  return `Position ${from} is beyond what there is of run "${runId}", which ${last}. Ask from ${end} on, or from one before.`;
}

/** The events of a run that nobody drives, all of them that there are. */
export async function storedEvents(
  { events, recorded }: RunRecords,
  runId: string,
): Promise<readonly WatchedEvent[]> {
  const outcome = (await recorded(runId))?.outcome ?? undefined;
  const logged = await eventsSoFar(events, runId);
  return Promise.all(
    logged.map(async ({ position, event }) => ({
      position,
      event: await told({ ...event, seq: position }, outcome, async (file) => file),
    })),
  );
}

/** With files where they are now, and at the end with what the steps did. */
async function told(
  event: AgentEvent,
  outcome: RunOutcome | undefined,
  locate: <T extends ArtifactRef>(file: T) => Promise<T>,
): Promise<AgentEvent> {
  if (event.type === "artifact") return { ...event, artifact: await locate(event.artifact) };
  if (event.type !== "finish" || !isEnd(event) || outcome === undefined) return event;
  const files = await Promise.all(outcome.artifacts.map(locate));
  return { ...event, response: withReport(event.response, outcome, files) };
}

const isEnd = ({ type, stepId }: AgentEvent): boolean => type === "finish" && stepId === undefined;
