import {
  describeIssues,
  InputError,
  taskInputSchema,
  traceparentOf,
  type CallerOptions,
  type Limits,
  type Task,
  type TaskStatus,
  type UnreadFile,
} from "@troupe/core";
import type { ArtifactRef, Json } from "@troupe/stream";
import type { RunInput, RunStatus, RunView, Thread, ThreadQuery } from "@troupe/workflow";

import type { PlanningUsage } from "./planning-sum.ts";

/**
 * What is asked: the words, or a task with whose it is and where to look. Its `task_id` becomes the
 * id of the run: the same again under it is the same run, anything else an `InputError` (`input.conflict`).
 * Its `metadata` is kept with it; its `status` is not for the caller to say.
 */
export type TaskInput = string | (Pick<Task, "description"> & Partial<Task>);

/** Reads what a caller of the library asks. Throws an `InputError`: nothing of a task is dropped silently. */
export function readTask(task: TaskInput): Exclude<TaskInput, string> {
  const given = Object.entries(asTask(task)).filter(([, value]) => value !== undefined);
  const parsed = taskInputSchema.safeParse(Object.fromEntries(given));
  if (typeof task === "string" ? task.trim() === "" : parsed.data?.description.trim() === "")
    throw new InputError("input.invalid", "The task is empty. Say what you want.");
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error, "task");
  throw new InputError("input.invalid", `The task is not valid: ${issues.join("; ")}`, { issues });
}

export function asTask(task: TaskInput): Exclude<TaskInput, string> {
  return typeof task === "string" ? { description: task } : task;
}

/** In whose name and trace a run is begun, and which conversation it is a turn of. */
export interface BegunBy extends CallerOptions {
  readonly threadId?: string;
  /** The turns of that conversation before it. */
  readonly thread?: Thread;
  /** Files that came with the request by an address, and were not read. */
  readonly unreadFiles?: readonly UnreadFile[];
  /** Images that came with it, in the orchestrator's store. */
  readonly images?: readonly ArtifactRef[];
  /** Its number in it. */
  readonly turn?: number;
  /** What it took to plan it. */
  readonly planning?: PlanningUsage;
  /** The plan waits for a person's word before anything of it runs. */
  readonly approve?: boolean;
  /** How many workflows started by agents it is in, itself included. */
  readonly depth?: number;
  /** Narrows what the workflow allows its whole run. */
  readonly limits?: Limits;
}

/** The conversation of a run that is asked for, of exactly whoever it will be. */
export function threadQuery(
  task: Exclude<TaskInput, string>,
  { caller, threadId }: Pick<BegunBy, "caller" | "threadId">,
  runId?: string,
): ThreadQuery | undefined {
  const userId = caller?.id ?? task.user_id;
  return threadId === undefined
    ? undefined
    : {
        threadId,
        ...(userId === undefined ? {} : { userId }),
        ...(runId === undefined ? {} : { runId }),
      };
}

/** What the engine keeps of a task. */
export function toRunInput(
  task: Exclude<TaskInput, string>,
  { caller, trace, threadId, thread = [], unreadFiles, images, turn, planning, depth }: BegunBy = {},
  earlier?: RunInput["earlier"],
): { readonly [key: string]: Json } {
  const { description, user_id, metadata } = task;
  // A follow-up works on what the conversation was about.
  const collection_id =
    task.collection_id ?? thread.findLast((turn) => turn.collectionId !== undefined)?.collectionId;
  return {
    objective: description,
    ...(user_id === undefined ? {} : { userId: user_id }),
    // Whose it is was authenticated, whatever the task says.
    ...(caller === undefined ? {} : { userId: caller.id, scopes: [...caller.scopes] }),
    ...(trace === undefined ? {} : { trace: traceparentOf(trace) }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(turn === undefined ? {} : { turn }),
    ...(depth === undefined ? {} : { depth }),
    ...(earlier === undefined ? {} : { earlier }),
    ...(unreadFiles === undefined ? {} : { unreadFiles: unreadFiles.map((file) => ({ ...file })) }),
    ...(images === undefined ? {} : { images: images.map((file) => ({ ...file })) }),
    ...(planning === undefined ? {} : { planning: { model: planning.model, usage: { ...planning.usage } } }),
    ...(collection_id === undefined ? {} : { collectionId: collection_id }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The task of a run; without `input` where it was not begun yet. */
export function toTask(view: RunView, input: RunInput | undefined): Task {
  return {
    task_id: view.runId,
    description: view.objective,
    ...(view.userId === undefined ? {} : { user_id: view.userId }),
    ...(input?.collectionId === undefined ? {} : { collection_id: input.collectionId }),
    metadata: input?.metadata ?? {},
    status: STATUS[view.status],
  };
}

const STATUS = {
  planning: "pending",
  running: "in_progress",
  interrupted: "in_progress",
  "input-required": "input_required",
  completed: "completed",
  partial: "partial",
  failed: "failed",
  canceled: "canceled",
} as const satisfies { readonly [S in RunStatus]: TaskStatus };

/** The tasks of these agents. Throws an `InputError` unless there is a non-empty one for each. */
export function readTasks(agents: readonly string[], tasks: unknown): readonly string[] {
  if (agents.length === 0)
    throw new InputError("input.invalid", "The list of agents is empty. Name at least one agent.");
  if (!Array.isArray(tasks))
    throw new InputError(
      "input.invalid",
      "A list of agents needs a list with one task for each. For one task that all agents get, call runParallel(task, agents).",
    );
  const given: readonly unknown[] = tasks;
  if (given.length !== agents.length)
    throw new InputError(
      "input.invalid",
      `The numbers of agents (${agents.length}) and tasks (${given.length}) differ. Give a list with one task for each agent, in the same order.`,
    );
  return given.map((task, index) => {
    if (typeof task === "string" && task.trim() !== "") return task;
    throw new InputError(
      "input.invalid",
      `Task ${index + 1}, for "${agents[index]}", must be a text that is not empty.`,
    );
  });
}
