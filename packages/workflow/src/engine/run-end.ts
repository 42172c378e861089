import { StoreError } from "@troupe/core";
import { EVENT_VERSION, type AgentEventOf } from "@troupe/stream";

import { eventsSoFar } from "./events-so-far.ts";
import { endsRun } from "./ends-run.ts";
import type { RunLog } from "./run-log.ts";
import type { RunOutcome } from "./run.ts";

/** Of the event with which a run ends; the log of a run has one. */
export const END_KEY = "finish";

/** The end of a run that its driver did not tell. */
export function endEvent({
  runId,
  outcome,
  response,
  error,
}: Pick<RunOutcome, "runId" | "outcome" | "response" | "error">): AgentEventOf<"finish"> {
  return {
    v: EVENT_VERSION,
    runId,
    // Whoever counted before is gone with its count; nothing of this run comes after.
    seq: Number.MAX_SAFE_INTEGER,
    attempt: 1,
    agent: "orchestrator",
    type: "finish",
    outcome,
    response,
    answerItems: [],
    ...(error === undefined ? {} : { error }),
  };
}

/** Whether the log of a run says that it has ended. */
export async function hasEnd(log: RunLog, runId: string): Promise<boolean> {
  const end = await log.end(runId);
  const [last] = await eventsSoFar(log, runId, Math.max(0, end - 1));
  if (last !== undefined && endsRun(last.event)) return true;
  return (await log.view(runId))?.outcome !== undefined;
}

/** Why a run whose end its log does not have has not ended. */
export function endNotKept(runId: string): StoreError {
  return new StoreError(
    "store.io",
    `how run "${runId}" ended could not be kept among its events; see to their storage and resume it`,
  );
}
