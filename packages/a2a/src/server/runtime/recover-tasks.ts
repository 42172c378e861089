import { TaskState, type Message, type Task } from "@a2a-js/sdk";
import type { AgentRequest } from "@troupe/core";

import { RESTART } from "../../run/stop.ts";
import type { UnfinishedTask } from "../../store/task-store.ts";
import { runIdOf } from "../../wire/records.ts";
import { stampedCaller } from "../../wire/stamp-caller.ts";
import type { ConversationLanes } from "./conversation-lanes.ts";
import { endRun, letGoOf } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import { workInTurn } from "./queued-turn.ts";
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
export async function recoverTasks(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  lanes: ConversationLanes,
): Promise<void> {
  const underway = new Set<Promise<void>>();
  const queued: UnfinishedTask[] = [];
  for await (const found of options.store.unfinished()) {
    if (options.handOver === true && found.task.status?.state === TaskState.TASK_STATE_SUBMITTED) {
      queued.push(found);
      continue;
    }
    const one: Promise<void> = recover(options, runs, found).finally(() => underway.delete(one));
    underway.add(one);
    if (underway.size >= AT_ONCE) await Promise.race(underway);
  }
  await Promise.all(underway);
  // They wait for what goes on again, and so come last.
  const since = ({ task }: UnfinishedTask): string => task.status?.timestamp ?? "";
  for (const found of queued.sort((a, b) => since(a).localeCompare(since(b))))
    if (!requeue(options, runs, lanes, found)) await recover({ ...options, handOver: false }, runs, found);
}

async function recover(options: AgentRuntimeOptions, runs: HeldRuns, found: UnfinishedTask): Promise<void> {
  if (options.handOver === true && resume(options, runs, found)) return;
  const run = runs.create(found.owner, found, turnOf(found.task), false, true);
  endRun(options, run, RESTART);
  await run.saved();
  if (!run.lost) await letGoOf(options, found.task);
}

/** Its turn comes when what it waited for is over, as if nothing had happened. */
function requeue(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  lanes: ConversationLanes,
  { owner, task, version }: UnfinishedTask,
): boolean {
  const said = task.history.at(-1);
  const asked = said && requestAgain(options, task, said, owner);
  if (asked === undefined) return false;
  const before = runs.runOf(owner, said?.referenceTaskIds.at(-1) ?? "");
  const place = lanes.join(owner, task.contextId, before?.whenSettled ?? Promise.resolve());
  if (place === undefined) return false;
  const run = runs.create(owner, { task, version }, turnOf(task), true);
  runs.hold(run);
  void workInTurn(options, runs, run, { place, asked });
  return true;
}

function resume(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  { owner, task, version }: UnfinishedTask,
): boolean {
  const said = task.history.at(-1);
  const request = said && requestAgain(options, task, said, owner);
  if (request === undefined) return false;
  const turn = turnOf(task) + 1;
  const metadata = { ...task.metadata, ...emptyTurn(turn) };
  // Whoever asked is gone with what it accepts; a result as data is there for both kinds of reader.
  const run = runs.create(owner, { task: { ...task, artifacts: [], metadata }, version }, turn, true);
  run.begin();
  runs.hold(run);
  void workOn(options, runs, run, { ...request, recovered: true });
  return true;
}

function requestAgain(
  { log }: AgentRuntimeOptions,
  task: Task,
  said: Message,
  owner: string,
): AgentRequest | undefined {
  try {
    const { contextId } = task;
    const caller = stampedCaller(said, owner);
    return readRequest(said, { taskId: runIdOf(task), contextId, history: [], caller });
  } catch (error) {
    log.warn("a task that was cut off cannot be asked for again", { taskId: task.id, error });
    return undefined;
  }
}
