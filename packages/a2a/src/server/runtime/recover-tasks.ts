import { TaskState, type Message, type Task } from "@a2a-js/sdk";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { AgentRequest } from "@troupe/core";

import { RESTART } from "../../run/stop.ts";
import type { UnfinishedTask } from "../../store/task-store.ts";
import { runIdOf } from "../../wire/records.ts";
import { stampedCaller } from "../../wire/stamp-caller.ts";
import type { ConversationLanes } from "./conversation-lanes.ts";
import { endRun, letGoOf } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import { presentTurn, type PresentTurn } from "./present-turn.ts";
import { workInTurn } from "./queued-turn.ts";
import { readRequest } from "./read-request.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { emptyTurn, turnOf } from "./turn-task.ts";
import { workOn } from "./work-on.ts";

type LeftTask = Omit<UnfinishedTask, "holder">;

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
  const queued: LeftTask[] = [];
  const goOnWith = async (left: UnfinishedTask): Promise<void> => {
    const found = await takenOver(options, runs, left);
    if (found === undefined) return;
    const waited = found.task.status?.state === TaskState.TASK_STATE_SUBMITTED;
    if (options.handOver === true && waited) queued.push(found);
    else await goOn(options, runs, found);
  };
  for await (const left of options.store.unfinished()) {
    const one: Promise<void> = goOnWith(left).finally(() => underway.delete(one));
    underway.add(one);
    if (underway.size >= AT_ONCE) await Promise.race(underway);
  }
  await Promise.all(underway);
  // They wait for what goes on again, and so come last.
  const since = ({ task }: LeftTask): string => task.status?.timestamp ?? "";
  for (const found of queued.sort((a, b) => since(a).localeCompare(since(b))))
    if (!(await requeue(options, runs, lanes, found)))
      await goOn({ ...options, handOver: false }, runs, found);
  for (const found of await runs.abandoned()) await goOn(options, runs, found);
}

/**
 * What is left of a task that nobody works on any more; undefined when another process was sooner. To
 * end one nobody has to hold it: of two that do so the second is refused.
 */
async function takenOver(
  { store, handOver }: AgentRuntimeOptions,
  runs: HeldRuns,
  { owner, task, version }: UnfinishedTask,
): Promise<LeftTask | undefined> {
  const { shared } = store;
  if (shared === undefined || handOver !== true) return { owner, task, version };
  const next = await runs.take(shared, { owner, taskId: task.id, version });
  return next === undefined ? undefined : { owner, task, version: next };
}

async function goOn(options: AgentRuntimeOptions, runs: HeldRuns, found: LeftTask): Promise<void> {
  if (options.handOver === true && resume(options, runs, found)) return;
  const run = runs.create(found.owner, found, {
    turn: turnOf(found.task),
    structured: false,
    cutOff: true,
  });
  endRun(options, run, RESTART);
  await run.saved();
  if (!run.lost) await letGoOf(options, found.task);
}

/** Its turn comes when what it waited for is over, as if nothing had happened. */
async function requeue(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  lanes: ConversationLanes,
  { owner, task, version }: LeftTask,
): Promise<boolean> {
  const said = task.history.at(-1);
  const asked = said && requestAgain(options, task, said, owner);
  if (asked === undefined) return false;
  const before = await waitedFor(runs, owner, said?.referenceTaskIds.at(-1) ?? "");
  const place = lanes.join(owner, task.contextId, before === undefined ? [] : [before]);
  if (place === undefined) return false;
  const run = runs.create(owner, { task, version }, { turn: turnOf(task), structured: true });
  runs.hold(run);
  void workInTurn(options, runs, run, { place, asked });
  return true;
}

async function waitedFor(runs: HeldRuns, owner: string, taskId: string): Promise<PresentTurn | undefined> {
  try {
    return presentTurn(await runs.find(owner, taskId));
  } catch (error) {
    // It is no longer kept.
    if (error instanceof TaskNotFoundError) return undefined;
    throw error;
  }
}

function resume(options: AgentRuntimeOptions, runs: HeldRuns, { owner, task, version }: LeftTask): boolean {
  const said = task.history.at(-1);
  const request = said && requestAgain(options, task, said, owner);
  if (request === undefined) return false;
  const turn = turnOf(task) + 1;
  const metadata = { ...task.metadata, ...emptyTurn(turn) };
  // Whoever asked is gone with what it accepts; a result as data is there for both kinds of reader.
  const run = runs.create(
    owner,
    { task: { ...task, artifacts: [], metadata }, version },
    { turn, structured: true },
  );
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
