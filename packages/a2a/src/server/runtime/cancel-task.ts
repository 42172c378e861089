import type { Task } from "@a2a-js/sdk";

import { CANCEL } from "../../run/stop.ts";
import { isSettled, isTerminal } from "../../wire/state.ts";
import { cancelElsewhere } from "./cancel-elsewhere.ts";
import { endRun, letGoOf, stopRun } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { turnOf } from "./turn-task.ts";
import { untilStored } from "./until-stored.ts";

/**
 * Answers the task as it stands once it is canceled or has ended otherwise. Throws an `UnavailableError`
 * while its store is away: the task is stored as canceled when that is back, if the process lives until then.
 */
export async function cancelTask(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  owner: string,
  taskId: string,
): Promise<Task> {
  const found = await runs.find(owner, taskId);
  const { shared } = options.store;
  if ("elsewhere" in found) {
    if (shared === undefined) return found.elsewhere.snapshot();
    const task = await cancelElsewhere(options, runs, shared, { owner, taskId });
    return isTerminal(task.status?.state) ? task : cancelTask(options, runs, owner, taskId);
  }
  if ("run" in found) {
    if (!found.run.settled) await stopRun(options, found.run, CANCEL);
    await untilStored(options, taskId, found.run.saved());
  }
  const stored = "run" in found ? found.run.stored() : found;
  const { task } = stored;
  if (!isSettled(task.status?.state) || isTerminal(task.status?.state)) return task;
  // A reply may have set it going again meanwhile.
  const begun = runs.runOf(owner, taskId);
  if (begun !== undefined && !begun.settled) return cancelTask(options, runs, owner, taskId);
  const run = runs.create(owner, stored, { turn: turnOf(task), structured: false });
  runs.hold(run);
  endRun(options, run, CANCEL);
  const letGo = async (): Promise<void> => {
    await run.saved();
    runs.release(run);
    if (!run.lost) await letGoOf(options, task);
  };
  await untilStored(options, taskId, letGo());
  // It was answered, or canceled, by another process.
  return run.lost ? cancelTask(options, runs, owner, taskId) : run.snapshot();
}
