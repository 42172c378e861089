import { InputError } from "@troupe/core";
import { numberTurns, type RunRecord } from "@troupe/workflow";

import { cameToNothing } from "./own-turn.ts";
import type { RunState } from "./state.ts";

/** How a run stands on record before it is begun. */
export type TurnRecord = Omit<RunRecord, "name" | "createdAt">;

/**
 * Begins a run with its number in its conversation, if it is of one. It is on record before it is counted, so that
 * others that begin at the same moment, here or elsewhere, count it too. One that is refused then has failed. Where
 * storage is away it stays on record, to be asked for again under its id.
 */
export async function asTurn(
  state: RunState,
  record: TurnRecord,
  begin: (number: { readonly turn?: number }) => Promise<void>,
): Promise<void> {
  const { engine, log } = state;
  const { runId, threadId } = record;
  if (threadId === undefined) return begin({});
  const known = (await log.view(runId)) !== null;
  if (!known) await log.begin({ ...record, name: "" });
  try {
    const { turn } = await numberTurns(state, { ...record, threadId });
    await begin({ turn });
  } catch (error) {
    // Another may have begun a run under this id meanwhile.
    if (!known && error instanceof InputError && (await engine.recorded(runId)) === undefined) {
      const told = cameToNothing(state, runId, { error, from: 0, canceled: false, waits: false });
      while ((await told.next()).done !== true) continue;
    }
    throw error;
  }
}
