import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { Task } from "@a2a-js/sdk";

/** Leaves the last `length` messages; all of them when no length was asked for. Changes the task. */
export function trimHistory(task: Task, length: number | undefined): Task {
  if (length !== undefined) task.history = length <= 0 ? [] : task.history.slice(-length);
  return task;
}

/** Throws a `RequestMalformedError` for a length that is no whole number from 0. */
export function needHistoryLength(length: number | undefined): void {
  if (length === undefined || (Number.isInteger(length) && length >= 0)) return;
  throw new RequestMalformedError(`historyLength must be a whole number from 0, not ${length}.`);
}
