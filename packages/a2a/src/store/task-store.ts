import type { Task, TaskState } from "@a2a-js/sdk";

import type { WireEvent } from "../wire/parts.ts";

export interface TaskQuery {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** ISO 8601; only tasks whose status is newer. */
  readonly updatedAfter?: string;
  readonly pageSize: number;
  /** From the page before; empty for the first. */
  readonly pageToken: string;
}

export interface TaskPage {
  /** Newest status first. */
  readonly tasks: readonly Task[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly totalSize: number;
}

/**
 * Where tasks are kept. Each belongs to an owner, and nobody else can tell that it exists. The
 * message ids that led to a task are kept exactly as long as the task: whoever sends one again is
 * led to the same task.
 *
 * A running task is held by the runtime; the store follows it. `save` gets the task as it stands
 * and the updates since the last call, so that a store may keep either, and cost stays O(1) an
 * update: neither is to be copied deeply.
 */
export interface TaskStore {
  /**
   * Stores the task under the message id, in one step. When (owner, messageId) is known already,
   * nothing changes. Answers the id of the task that holds the message.
   */
  claim(owner: string, messageId: string, task: Task): Promise<string>;
  /** The task that a message led to. */
  taskOf(owner: string, messageId: string): Promise<string | undefined>;
  /**
   * `task` is live and changes later; `changes` were applied to it already. A task among them says
   * that it was begun anew: it stands in place of all that was stored.
   */
  save(owner: string, task: Task, changes: readonly WireEvent[]): Promise<void>;
  /** A copy that is the caller's own. */
  load(owner: string, taskId: string): Promise<Task | undefined>;
  list(owner: string, query: TaskQuery): Promise<TaskPage>;
  /** Tasks that were being worked on; after a restart nobody does. */
  unfinished(): Promise<readonly { readonly owner: string; readonly task: Task }[]>;
}
