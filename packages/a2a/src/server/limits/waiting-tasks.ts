import { TaskState } from "@a2a-js/sdk";

import type { TaskStore } from "../../store/task-store.ts";
import { LimitError } from "./limit-error.ts";

/** Owners whose tasks are counted at a time. */
const MAX_OWNERS = 10_000;
/** Somebody has to answer first. */
const LATER_MS = 60_000;

export interface WaitingTasks {
  /** Throws a `LimitError` when so many tasks of this owner wait for an answer already. */
  check(owner: string): Promise<void>;
  /** A task of this owner has begun to wait. */
  note(owner: string): void;
}

/**
 * Counts the tasks that begin to wait, never those that go on: the count is too high at most, and
 * the store is asked only when it has reached the limit. What waited when the process began is counted
 * then.
 */
export function waitingTasks(store: Pick<TaskStore, "list">, limit: number): WaitingTasks {
  const counts = new Map<string, number>();
  const keep = (owner: string, count: number): void => {
    counts.delete(owner);
    counts.set(owner, count);
    for (const other of counts.keys()) {
      if (counts.size <= MAX_OWNERS) break;
      counts.delete(other);
    }
  };
  const count = async (owner: string, state: TaskState): Promise<number> =>
    (await store.list(owner, { state, pageSize: 1, pageToken: "" })).totalSize;
  return {
    async check(owner) {
      if ((counts.get(owner) ?? 0) < limit) return;
      const { TASK_STATE_INPUT_REQUIRED, TASK_STATE_AUTH_REQUIRED } = TaskState;
      const waiting =
        (await count(owner, TASK_STATE_INPUT_REQUIRED)) + (await count(owner, TASK_STATE_AUTH_REQUIRED));
      keep(owner, waiting);
      if (waiting >= limit)
        throw new LimitError(
          "TOO_MANY",
          `${waiting} tasks of yours wait for an answer already; answer or cancel one of them first.`,
          { retryAfterMs: LATER_MS, limit },
        );
    },
    note: (owner) => keep(owner, (counts.get(owner) ?? 0) + 1),
  };
}
