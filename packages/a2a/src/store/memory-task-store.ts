import type { Task } from "@a2a-js/sdk";
import type { Clock } from "@troupe/stream";

import { copyTask } from "../wire/apply-event.ts";
import { isSettled } from "../wire/state.ts";
import { sizeOf } from "./size-of.ts";
import type { TaskQuery, TaskStore } from "./task-store.ts";

export interface MemoryTaskStoreOptions {
  readonly clock: Clock;
  /** Settled tasks kept, 10,000 by default; running ones are always kept. */
  readonly maxTasks?: number;
  /** Milliseconds for which a settled task is kept, 24 hours by default. */
  readonly maxAgeMs?: number;
  /** Bytes that settled tasks may take together, as `sizeOf` counts them; 256 MiB by default. */
  readonly maxBytes?: number;
}

interface Entry {
  readonly owner: string;
  readonly messageIds: string[];
  /** Order of arrival, for tasks of the same millisecond. */
  readonly order: number;
  task: Task;
}

interface Settled {
  readonly at: number;
  readonly bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Tasks in this process. It holds the live task itself and copies only on the way out, so an
 * update costs nothing; what has settled is dropped by count, age and size, oldest first.
 */
export function createMemoryTaskStore(options: MemoryTaskStoreOptions): TaskStore {
  const { clock, maxTasks = 10_000, maxAgeMs = DAY_MS, maxBytes = MAX_BYTES } = options;
  const entries = new Map<string, Entry>();
  const byMessage = new Map<string, string>();
  /** What has settled, oldest first. */
  const settled = new Map<string, Settled>();
  let settledBytes = 0;
  let order = 0;

  const keyOf = (owner: string, messageId: string): string => JSON.stringify([owner, messageId]);
  const ofOwner = (owner: string, taskId: string): Entry | undefined => {
    const entry = entries.get(taskId);
    return entry?.owner === owner ? entry : undefined;
  };
  const unsettle = (taskId: string): void => {
    settledBytes -= settled.get(taskId)?.bytes ?? 0;
    settled.delete(taskId);
  };
  const drop = (taskId: string): void => {
    const entry = entries.get(taskId);
    unsettle(taskId);
    entries.delete(taskId);
    for (const messageId of entry?.messageIds ?? []) byMessage.delete(keyOf(entry?.owner ?? "", messageId));
  };
  const note = (task: Task): void => {
    unsettle(task.id);
    if (isSettled(task.status?.state)) {
      const bytes = sizeOf(task);
      settled.set(task.id, { at: clock.now(), bytes });
      settledBytes += bytes;
    }
    for (const [taskId, { at }] of settled) {
      const few = settled.size <= maxTasks && settledBytes <= maxBytes;
      if (few && clock.now() - at <= maxAgeMs) break;
      drop(taskId);
    }
  };

  return {
    claim(owner, messageId, task) {
      const key = keyOf(owner, messageId);
      const known = byMessage.get(key);
      if (known !== undefined) return Promise.resolve(known);
      const entry = ofOwner(owner, task.id) ?? { owner, messageIds: [], order: order++, task };
      entry.task = task;
      entry.messageIds.push(messageId);
      entries.set(task.id, entry);
      byMessage.set(key, task.id);
      note(task);
      return Promise.resolve(task.id);
    },
    taskOf: (owner, messageId) => Promise.resolve(byMessage.get(keyOf(owner, messageId))),
    save(owner, task) {
      const entry = ofOwner(owner, task.id);
      if (entry !== undefined) {
        entry.task = task;
        note(task);
      }
      return Promise.resolve();
    },
    load(owner, taskId) {
      const entry = ofOwner(owner, taskId);
      return Promise.resolve(entry === undefined ? undefined : copyTask(entry.task));
    },
    list(owner, query) {
      const found = [...entries.values()]
        .filter((entry) => entry.owner === owner && matches(entry.task, query))
        .sort((a, b) => (rank(a) < rank(b) ? 1 : -1));
      const rest = query.pageToken === "" ? found : found.filter((entry) => rank(entry) < query.pageToken);
      const page = rest.slice(0, query.pageSize);
      const last = page.at(-1);
      return Promise.resolve({
        tasks: page.map((entry) => copyTask(entry.task)),
        nextPageToken: last !== undefined && rest.length > page.length ? rank(last) : "",
        totalSize: found.length,
      });
    },
    unfinished: () =>
      Promise.resolve(
        [...entries.values()]
          .filter((entry) => !isSettled(entry.task.status?.state))
          .map(({ owner, task }) => ({ owner, task: copyTask(task) })),
      ),
  };
}

/** Orders by time of the status, then by arrival; as a string it is the page token too. */
function rank({ task, order }: Entry): string {
  return `${task.status?.timestamp ?? ""}~${String(order).padStart(12, "0")}`;
}

function matches(task: Task, query: TaskQuery): boolean {
  if (query.contextId !== undefined && task.contextId !== query.contextId) return false;
  if (query.state !== undefined && task.status?.state !== query.state) return false;
  return query.updatedAfter === undefined || (task.status?.timestamp ?? "") > query.updatedAfter;
}
