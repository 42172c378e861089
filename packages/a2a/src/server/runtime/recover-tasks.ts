import type { Message, Task } from "@a2a-js/sdk";

import { RESTART } from "../../run/stop.ts";
import { runIdOf } from "../../wire/records.ts";
import { stampedCaller } from "../../wire/stamp-caller.ts";
import { endRun, letGoOf } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import { readRequest } from "./read-request.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { emptyTurn, turnOf } from "./turn-task.ts";
import { workOn } from "./work-on.ts";

/**
 * Sees to what was cut off, so that nothing stays working for ever: it is marked as failed, or
 * where the work outlives the process it is asked for again and told from its start.
 */
export async function recoverTasks(options: AgentRuntimeOptions, runs: HeldRuns): Promise<void> {
  for (const { owner, task } of await options.store.unfinished()) {
    const said = options.handOver === true ? task.history.at(-1) : undefined;
    if (said !== undefined && resume(options, runs, { owner, task, said })) continue;
    const run = runs.create(owner, task, turnOf(task), false, true);
    endRun(options, run, RESTART);
    await run.saved();
    await letGoOf(options, task);
  }
}

function resume(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  { owner, task, said }: { readonly owner: string; readonly task: Task; readonly said: Message },
): boolean {
  try {
    const { contextId } = task;
    const caller = stampedCaller(said, owner);
    const request = readRequest(said, { taskId: runIdOf(task), contextId, history: [], caller });
    const turn = turnOf(task) + 1;
    const metadata = { ...task.metadata, ...emptyTurn(turn) };
    // Whoever asked is gone with what it accepts; a result as data is there for both kinds of reader.
    const run = runs.create(owner, { ...task, artifacts: [], metadata }, turn, true);
    run.begin();
    runs.hold(run);
    void workOn(options, runs, run, { ...request, recovered: true });
    return true;
  } catch (error) {
    options.log.warn("a task that was cut off cannot be asked for again", { taskId: task.id, error });
    return false;
  }
}
