import type { Task } from "@a2a-js/sdk";
import type { Clock } from "@troupe/stream";

import { copyTask } from "../wire/apply-event.ts";
import { isSettled } from "../wire/state.ts";
import { ByAge } from "./by-age.ts";
import { storeConflict } from "./conflict.ts";
import { createLeases } from "./leases.ts";
import { readToken } from "./query.ts";
import { keyOf } from "./key-of.ts";
import { entryOf, isFree, memoryShared, rank, replay, type Entry } from "./memory-shared.ts";
import { memoryPush, type PushEntry } from "./memory-push.ts";
import { sizeOf } from "./size-of.ts";
import type { From } from "./from.ts";
import type { StoredTask, TaskQuery, TaskStore } from "./task-store.ts";

export interface MemoryTaskStoreOptions {
  readonly clock: Clock;
  /** Settled tasks kept, 2,000 by default; running ones are always kept. */
  readonly maxTasks?: number;
  /** Milliseconds for which a settled task is kept, 24 hours by default. */
  readonly maxAgeMs?: number;
  /** Bytes that settled tasks may take together, as `sizeOf` counts them; 64 MiB by default. */
  readonly maxBytes?: number;
  /** For several servers of this process on one store: see `SharedTasks`. Absent: the store is one server's. */
  readonly leaseMs?: number;
}

interface Settled {
  readonly at: number;
  readonly bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Tasks in this process. It holds the live task itself and copies only on the way out, so an
 * update costs nothing; one that is shared keeps a task of its own, and the updates of what runs.
 * What has settled is dropped by count, age and size, oldest first.
 */
export function createMemoryTaskStore(options: MemoryTaskStoreOptions): TaskStore {
  const { clock, maxTasks = 2_000, maxAgeMs = DAY_MS, maxBytes = MAX_BYTES, leaseMs } = options;
  const entries = new Map<string, Entry>();
  const running = new Map<string, Entry>();
  const byMessage = new Map<string, Entry>();
  /** What has settled, oldest first. */
  const settled = new ByAge<Settled>();
  const leases = leaseMs === undefined ? undefined : createLeases(clock, leaseMs);
  let settledBytes = 0;
  let order = 0;

  const unsettle = (key: string): void => {
    settledBytes -= settled.get(key)?.bytes ?? 0;
    settled.delete(key);
  };
  const drop = (key: string): void => {
    const entry = entries.get(key);
    unsettle(key);
    entries.delete(key);
    for (const messageId of entry?.messageIds ?? []) byMessage.delete(keyOf(entry?.owner ?? "", messageId));
  };
  /** At every look as well: where nothing more settles, what is there grows old all the same. */
  const retain = (): void => {
    for (let oldest = settled.oldest(); oldest !== undefined; oldest = settled.oldest()) {
      const [key, { at }] = oldest;
      const few = settled.size <= maxTasks && settledBytes <= maxBytes;
      if (few && clock.now() - at <= maxAgeMs) break;
      drop(key);
    }
  };
  const note = (key: string, entry: Entry): void => {
    unsettle(key);
    if (isSettled(entry.task.status?.state)) {
      const bytes = sizeOf(entry.task);
      settled.put(key, { at: clock.now(), bytes });
      settledBytes += bytes;
      running.delete(key);
      entry.holder = undefined;
      entry.cancelAsked = false;
    } else running.set(key, entry);
    retain();
  };
  /** The next version of what is stored at the version named. Throws `store.conflict`. */
  const next = (entry: Entry | undefined, taskId: string, from: From): number => {
    if ((entry?.version ?? 0) !== from.version) throw storeConflict(taskId, from.version);
    return from.version + 1;
  };
  /** How many of these a page holds. */
  const fitting = (rest: readonly Entry[], { pageSize, maxBytes: most }: TaskQuery): number => {
    if (most === undefined) return pageSize;
    let bytes = 0;
    const end = rest.slice(0, pageSize).findIndex(({ owner, task }, index) => {
      bytes += settled.get(keyOf(owner, task.id))?.bytes ?? sizeOf(task);
      return index > 0 && bytes > most;
    });
    return end === -1 ? pageSize : end;
  };
  const stored = ({ task, version, holder }: Entry): StoredTask => ({
    task: copyTask(task),
    version,
    ...(holder === undefined ? {} : { holder: { id: holder, alive: leases?.isAlive(holder) ?? true } }),
  });

  return {
    async claim(owner, messageId, task, from) {
      const known = byMessage.get(keyOf(owner, messageId));
      if (known !== undefined) return { taskId: known.task.id, version: known.version, first: false };
      const key = keyOf(owner, task.id);
      const before = entries.get(key);
      const version = next(before, task.id, from);
      const entry = before ?? entryOf(owner, task, order++);
      entry.task = leases === undefined ? task : copyTask(task);
      entry.version = version;
      entry.holder = from.holder;
      entry.cancelAsked = false;
      entry.updates = undefined;
      entry.messageIds.push(messageId);
      entries.set(key, entry);
      byMessage.set(keyOf(owner, messageId), entry);
      note(key, entry);
      return { taskId: task.id, version, first: true };
    },
    async taskOf(owner, messageId) {
      retain();
      return byMessage.get(keyOf(owner, messageId))?.task.id;
    },
    async save(owner, task, changes, from) {
      const key = keyOf(owner, task.id);
      const entry = entries.get(key);
      const version = next(entry, task.id, from);
      if (entry === undefined) throw storeConflict(task.id, from.version);
      if (leases === undefined) entry.task = task;
      else replay(entry, version, changes);
      entry.version = version;
      note(key, entry);
      return version;
    },
    async load(owner, taskId) {
      retain();
      const entry = entries.get(keyOf(owner, taskId));
      return entry === undefined ? undefined : stored(entry);
    },
    async list(owner, query) {
      readToken(query.pageToken);
      retain();
      const found = [...entries.values()]
        .filter((entry) => entry.owner === owner && matches(entry.task, query))
        .sort((a, b) => (rank(a) < rank(b) ? 1 : -1));
      const rest = query.pageToken === "" ? found : found.filter((entry) => rank(entry) < query.pageToken);
      const page = rest.slice(0, fitting(rest, query));
      const last = page.at(-1);
      return {
        tasks: page.map((entry) => copyTask(entry.task)),
        nextPageToken: last !== undefined && rest.length > page.length ? rank(last) : "",
        totalSize: found.length,
      };
    },
    async *unfinished() {
      const found = [...running.values()].sort((a, b) => a.order - b.order);
      for (const entry of found) if (isFree(entry, leases)) yield { ...stored(entry), owner: entry.owner };
    },
    push: memoryPush({
      find: ({ owner, taskId }) => {
        const entry = entries.get(keyOf(owner, taskId));
        return entry && pushOf(entry);
      },
      all: () => [...entries.values()].map(pushOf),
    }),
    ...(leases === undefined || leaseMs === undefined
      ? {}
      : { shared: memoryShared({ leases, leaseMs, running, entries }) }),
  };
}

function pushOf({ owner, task, push }: Entry): PushEntry {
  return { owner, taskId: task.id, push };
}

function matches(task: Task, query: TaskQuery): boolean {
  if (query.contextId !== undefined && task.contextId !== query.contextId) return false;
  if (query.state !== undefined && task.status?.state !== query.state) return false;
  return query.updatedAfter === undefined || (task.status?.timestamp ?? "") > query.updatedAfter;
}
