import type { Task } from "@a2a-js/sdk";

import { copyTask, liveTask, type LiveTask } from "../wire/apply-event.ts";
import type { WireEvent } from "../wire/parts.ts";
import { storeConflict } from "./conflict.ts";
import { keyOf } from "./key-of.ts";
import type { Leases } from "./leases.ts";
import type { KeptPushConfig } from "./push-configs.ts";
import type { SharedTasks, TaskUpdates } from "./shared-tasks.ts";

/** A task in memory. */
export interface Entry {
  readonly owner: string;
  readonly messageIds: string[];
  /** Order of arrival, for tasks of the same millisecond. */
  readonly order: number;
  task: Task;
  version: number;
  holder: string | undefined;
  cancelAsked: boolean;
  /** Whom to notify, by id. */
  readonly push: Map<string, KeptPushConfig>;
  /** Of a shared store, since the turn began. */
  updates: { readonly live: LiveTask; readonly kept: TaskUpdates[] } | undefined;
}

/** Saves of one turn that can be followed; who is further behind gets the task as it stands. */
const MAX_KEPT = 1_000;

export function entryOf(owner: string, task: Task, order: number): Entry {
  return {
    owner,
    messageIds: [],
    order,
    task,
    version: 0,
    holder: undefined,
    cancelAsked: false,
    push: new Map(),
    updates: undefined,
  };
}

/** Orders by time of the status, then by arrival; as a string it is the page token too. */
export function rank({ task, order }: Entry): string {
  return `${task.status?.timestamp ?? ""}~${String(order).padStart(12, "0")}`;
}

/** Nobody works on it. */
export function isFree({ holder }: Entry, leases: Leases | undefined): boolean {
  return holder === undefined || leases?.isAlive(holder) === false;
}

/** Brings the store's own task to the next version: the live one is ahead of what was saved. */
export function replay(entry: Entry, version: number, changes: readonly WireEvent[]): void {
  const anew = changes.findLast((change) => change.$case === "task");
  if (anew !== undefined) {
    entry.task = copyTask(anew.value);
    entry.updates = undefined;
  }
  const { live, kept } = (entry.updates ??= { live: liveTask(entry.task), kept: [] });
  if (anew === undefined) for (const change of changes) live.apply(change);
  kept.push({ version, events: anew === undefined ? changes : [anew] });
  if (kept.length > MAX_KEPT) kept.shift();
}

/** The part of a store in memory by which several runtimes share it. */
export function memoryShared(parts: {
  readonly leases: Leases;
  readonly leaseMs: number;
  readonly running: ReadonlyMap<string, Entry>;
  readonly entries: ReadonlyMap<string, Entry>;
}): SharedTasks {
  const { leases, leaseMs, running, entries } = parts;
  return {
    leaseMs,
    renew: async (holder) => leases.renew(holder),
    release: async (holder) => leases.release(holder),
    async take(owner, taskId, { version, holder }) {
      const entry = running.get(keyOf(owner, taskId));
      if (entry?.version !== version || !isFree(entry, leases)) throw storeConflict(taskId, version);
      entry.holder = holder;
      entry.updates ??= { live: liveTask(entry.task), kept: [] };
      entry.updates.kept.push({ version: version + 1, events: [] });
      return ++entry.version;
    },
    async askCancel(owner, taskId) {
      const entry = running.get(keyOf(owner, taskId));
      if (entry !== undefined) entry.cancelAsked = true;
    },
    asked: async (holder) =>
      [...running.values()]
        .filter((entry) => entry.cancelAsked && entry.holder === holder)
        .map(({ owner, task }) => ({ owner, taskId: task.id })),
    async updates(owner, taskId, version) {
      const entry = entries.get(keyOf(owner, taskId));
      if (entry === undefined || version > entry.version) return undefined;
      const since = (entry.updates?.kept ?? []).filter((update) => update.version > version);
      if (since.length !== entry.version - version) return undefined;
      return { version: entry.version, events: since.flatMap(({ events }) => events) };
    },
  };
}
