import type { Task, TaskState } from "@a2a-js/sdk";
import type { SuspendedRuns } from "@troupe/core";

import type { WireEvent } from "../wire/parts.ts";
import type { From } from "./from.ts";
import type { PushConfigs } from "./push-configs.ts";
import type { SharedTasks } from "./shared-tasks.ts";

/** Which of an owner's tasks are listed; without `contextId`, `state` and `updatedAfter` all of them. */
export interface TaskQuery {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** ISO 8601; only tasks whose status is newer. */
  readonly updatedAfter?: string;
  /** Tasks on a page at most; above 0. */
  readonly pageSize: number;
  /**
   * A page ends before the task with which it would hold more, as the store counts them, but has one at
   * least; only by count when absent. What is left out is not read.
   */
  readonly maxBytes?: number;
  /** From the page before; empty for the first. */
  readonly pageToken: string;
}

/** A page of the tasks a query asks for. */
export interface TaskPage {
  /** Newest status first. */
  readonly tasks: readonly Task[];
  /** Empty on the last page, which need not be one of fewer tasks than were asked for. */
  readonly nextPageToken: string;
  /** Tasks on all pages together. */
  readonly totalSize: number;
}

/** Where a message led to. */
export interface Claim {
  readonly taskId: string;
  readonly version: number;
  /** The message was not known before; only then is anything to be done about it. */
  readonly first: boolean;
}

export interface StoredTask {
  /** The caller's own. */
  readonly task: Task;
  /** Raised by every change; above 0. */
  readonly version: number;
  /** Who works on it, where several may; `alive` while it says so in time. */
  readonly holder?: { readonly id: string; readonly alive: boolean };
}

export interface UnfinishedTask extends StoredTask {
  readonly owner: string;
}

/**
 * Where tasks are kept. Each belongs to an owner, and nobody else can tell that it exists. The
 * message ids that led to a task are kept exactly as long as the task: whoever sends one again is
 * led to the same task.
 *
 * A change names the version it goes out from. When another one is stored it throws a `StoreError`
 * (`store.conflict`) and changes nothing; after any other error too nothing was changed, or all of it
 * was and the version is the next one: load it to know.
 *
 * A running task is held by the runtime; the store follows it. `save` gets the task as it stands
 * and the updates since the last call, so that a store may keep either, and cost stays O(1) an
 * update: neither is to be copied deeply.
 */
export interface TaskStore {
  /**
   * Stores the task under the message id, in one step. When (owner, messageId) is known already,
   * nothing changes, whatever the version.
   */
  claim(owner: string, messageId: string, task: Task, from: From): Promise<Claim>;
  /** The task that a message led to. */
  taskOf(owner: string, messageId: string): Promise<string | undefined>;
  /**
   * `task` is live and changes later; `changes` were applied to it already. A task among them says
   * that it was begun anew: it stands in place of all that was stored. Answers the next version.
   */
  save(owner: string, task: Task, changes: readonly WireEvent[], from: From): Promise<number>;
  load(owner: string, taskId: string): Promise<StoredTask | undefined>;
  list(owner: string, query: TaskQuery): Promise<TaskPage>;
  /**
   * Tasks that were being worked on and that nobody works on now, oldest first, read as they are asked
   * for. One of which what was stored cannot be read is not among them: it is set aside as failed.
   */
  unfinished(): AsyncIterable<UnfinishedTask>;
  /** Whom to notify of its tasks. Absent, an agent on this store cannot notify anybody. */
  readonly push?: PushConfigs;
  /** Runs of the agent that wait for a person, as long as its tasks; absent where they last no longer than the process. */
  readonly suspended?: SuspendedRuns;
  /** Absent where one runtime has the store for itself. */
  readonly shared?: SharedTasks;
}
