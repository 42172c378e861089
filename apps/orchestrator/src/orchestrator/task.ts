import {
  describeIssues,
  InputError,
  taskInputSchema,
  traceparentOf,
  type CallerOptions,
  type Task,
  type TaskStatus,
} from "@troupe/core";
import type { Json } from "@troupe/stream";
import type { RunInput, RunStatus, RunView } from "@troupe/workflow";

import type { TaskInput } from "./orchestrator.ts";

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

/** What the engine keeps of a task. */
export function toRunInput(task: Exclude<TaskInput, string>, { caller, trace }: CallerOptions = {}): Json {
  const { description, user_id, collection_id, metadata } = task;
  return {
    objective: description,
    ...(user_id === undefined ? {} : { userId: user_id }),
    // Whose it is was authenticated, whatever the task says.
    ...(caller === undefined ? {} : { userId: caller.id, scopes: [...caller.scopes] }),
    ...(trace === undefined ? {} : { trace: traceparentOf(trace) }),
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
