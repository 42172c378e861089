import { isDeepStrictEqual } from "node:util";

import { InputError, StoreError } from "@troupe/core";
import type { Clock, Json, JsonObject } from "@troupe/stream";
import { runInputSchema, type DagSpec, type RecordedRun } from "@troupe/workflow";

import type { RunState } from "./state.ts";

export interface NewRun {
  readonly runId: string;
  readonly spec: DagSpec;
  /** A `RunInput`. */
  readonly input: JsonObject;
  /** The caller chose its id, which may be in use for something else. */
  readonly chosen: boolean;
  /** Its collection is that of the conversation before it, which may have gone on when the run is asked for again. */
  readonly inherits?: boolean;
}

/**
 * Begins a run once, however often it is asked for: the same again under its id is the same run. Throws an
 * `InputError` (`input.conflict`) where the id has been used for something else. Of a run that is somebody
 * else's it says neither that it is there nor what it is.
 */
export async function startRun(
  { engine, log }: RunState,
  { runId, spec, input, chosen, inherits = false }: NewRun,
  clock: Clock,
): Promise<void> {
  const view = await log.view(runId);
  if (view !== null && view.userId !== input["userId"]) throw refused(runId);
  // An engine may forget a run before its events go; a second run must not be told behind its end.
  if (view?.outcome !== undefined && (await engine.recorded(runId)) === undefined)
    throw conflict(runId, "has ended, and what it was begun with is no longer known");
  const { created } = await engine.start(spec, input, { runId });
  if (created) return;
  const known = await recordOf(engine, runId, clock);
  if ((known.input as JsonObject)["userId"] !== input["userId"]) throw refused(runId);
  if (!chosen) return;
  const given = identity({ spec, input }, inherits);
  const begun = identity(known, inherits);
  const other = Object.keys({ ...given, ...begun }).find((key) => !isDeepStrictEqual(given[key], begun[key]));
  if (other !== undefined) throw conflict(runId, `was begun with another ${other}`);
}

const RECORD_POLL_MS = 100;
const RECORD_POLLS = 50;

/** What a run was begun with; an engine outside may tell that a moment after it took the run. */
async function recordOf(engine: RunState["engine"], runId: string, clock: Clock): Promise<RecordedRun> {
  for (let polls = 0; polls < RECORD_POLLS; polls++) {
    const recorded = await engine.recorded(runId);
    if (recorded !== undefined) return recorded;
    await clock.sleep(RECORD_POLL_MS);
  }
  throw new StoreError("store.io", `What run "${runId}" was begun with cannot be read just now. Ask again.`, {
    retryable: true,
  });
}

/** What makes a run the one that was asked for, by the names callers have for it. */
function identity(
  { spec, input }: { readonly spec: DagSpec; readonly input: Json },
  inherits: boolean,
): { readonly [name: string]: unknown } {
  const { objective, threadId, collectionId, metadata, retryOf, kept, approval } =
    runInputSchema.parse(input);
  return {
    workflow: JSON.parse(JSON.stringify(spec)) as Json,
    description: objective,
    conversation: threadId,
    collection: inherits ? undefined : collectionId,
    metadata,
    "run to do again": retryOf,
    "step to begin from": kept && Object.keys(kept).toSorted(),
    approve: approval !== undefined,
  };
}

function refused(runId: string): InputError {
  return new InputError(
    "input.conflict",
    `The id "${runId}" cannot be used for this run. Choose another, or leave it out.`,
  );
}

function conflict(runId: string, why: string): InputError {
  return new InputError(
    "input.conflict",
    `Run "${runId}" ${why}. Ask for exactly the same again to have that run, or choose another id.`,
  );
}
