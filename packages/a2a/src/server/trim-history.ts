import type { Task } from "@a2a-js/sdk";

/** Leaves the last `length` messages; all of them when no length was asked for. Changes the task. */
export function trimHistory(task: Task, length: number | undefined): Task {
  if (length !== undefined) task.history = length <= 0 ? [] : task.history.slice(-length);
  return task;
}
