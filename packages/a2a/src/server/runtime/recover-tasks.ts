import { RESTART } from "../../run/stop.ts";
import type { UnfinishedTask } from "../../store/task-store.ts";
import { runIdOf } from "../../wire/records.ts";
import { stampedCaller } from "../../wire/stamp-caller.ts";
import { endRun, letGoOf } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import { readRequest } from "./read-request.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { emptyTurn, turnOf } from "./turn-task.ts";
import { workOn } from "./work-on.ts";

/** Tasks that are marked at once: a store writes them together. */
const AT_ONCE = 200;

/**
 * Sees to what was cut off, so that nothing stays working for ever: it is marked as failed, or
 * where the work outlives the process it is asked for again and told from its start.
 */
export async function recoverTasks(options: AgentRuntimeOptions, runs: HeldRuns): Promise<void> {
  const underway = new Set<Promise<void>>();
  for await (const found of options.store.unfinished()) {
    const one: Promise<void> = recover(options, runs, found).finally(() => underway.delete(one));
    underway.add(one);
    if (underway.size >= AT_ONCE) await Promise.race(underway);
  }
  await Promise.all(underway);
}

async function recover(options: AgentRuntimeOptions, runs: HeldRuns, found: UnfinishedTask): Promise<void> {
  if (options.handOver === true && resume(options, runs, found)) return;
  const run = runs.create(found.owner, found, turnOf(found.task), false, true);
  endRun(options, run, RESTART);
  await run.saved();
  if (!run.lost) await letGoOf(options, found.task);
}

function resume(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  { owner, task, version }: UnfinishedTask,
): boolean {
  const said = task.history.at(-1);
  if (said === undefined) return false;
  try {
    const { contextId } = task;
    const caller = stampedCaller(said, owner);
    const request = readRequest(said, { taskId: runIdOf(task), contextId, history: [], caller });
    const turn = turnOf(task) + 1;
    const metadata = { ...task.metadata, ...emptyTurn(turn) };
    // Whoever asked is gone with what it accepts; a result as data is there for both kinds of reader.
    const run = runs.create(owner, { task: { ...task, artifacts: [], metadata }, version }, turn, true);
    run.begin();
    runs.hold(run);
    void workOn(options, runs, run, { ...request, recovered: true });
    return true;
  } catch (error) {
    options.log.warn("a task that was cut off cannot be asked for again", { taskId: task.id, error });
    return false;
  }
}
