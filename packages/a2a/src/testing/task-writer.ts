import type { Task } from "@a2a-js/sdk";

import type { StoredTask, TaskStore } from "../store/task-store.ts";
import type { WireEvent } from "../wire/parts.ts";

/** A hand on a store that goes on from the versions it saw, as a runtime does. */
export interface TaskWriter {
  readonly store: TaskStore;
  /** Answers the id of the task that holds the message. */
  claim(owner: string, messageId: string, task: Task): Promise<string>;
  save(owner: string, task: Task, changes: readonly WireEvent[]): Promise<void>;
  load(owner: string, taskId: string): Promise<Task | undefined>;
  /** Of the tasks that nobody works on. */
  unfinished(): Promise<readonly string[]>;
}

/** `holder` is the runtime that it stands for, where the store is shared. */
export function taskWriter(store: TaskStore, holder?: string): TaskWriter {
  const versions = new Map<string, number>();
  const keyOf = (owner: string, id: string): string => JSON.stringify([owner, id]);
  const known = async (owner: string, id: string): Promise<number> =>
    versions.get(keyOf(owner, id)) ?? (await store.load(owner, id))?.version ?? 0;
  const from = (version: number) => (holder === undefined ? { version } : { version, holder });
  return {
    store,
    async claim(owner, messageId, task) {
      // A task that was dropped begins anew.
      const stored: StoredTask | undefined = await store.load(owner, task.id);
      const claim = await store.claim(owner, messageId, task, from(stored?.version ?? 0));
      if (claim.first) versions.set(keyOf(owner, task.id), claim.version);
      return claim.taskId;
    },
    async save(owner, task, changes) {
      const version = await known(owner, task.id);
      versions.set(keyOf(owner, task.id), await store.save(owner, task, changes, from(version)));
    },
    load: async (owner, taskId) => (await store.load(owner, taskId))?.task,
    async unfinished() {
      const found: string[] = [];
      for await (const { owner, task } of store.unfinished()) found.push(`${owner} ${task.id}`);
      return found;
    },
  };
}
