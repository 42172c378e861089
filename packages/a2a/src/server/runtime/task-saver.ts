import type { Task } from "@a2a-js/sdk";
import type { Log } from "@troupe/core";

import type { TaskStore } from "../../store/task-store.ts";
import type { WireEvent } from "../../wire/parts.ts";

export interface TaskSaverOptions {
  readonly store: TaskStore;
  readonly owner: string;
  /** Live: what is pushed was applied to it already. */
  readonly task: Task;
  readonly log: Log;
}

/** Brings the updates of a running task to its store, in order, one write at a time. */
export class TaskSaver {
  readonly #options: TaskSaverOptions;
  #unsaved: WireEvent[] = [];
  #saving: Promise<void> | undefined;

  constructor(options: TaskSaverOptions) {
    this.#options = options;
  }

  push(event: WireEvent): void {
    this.#unsaved.push(event);
    this.#saving ??= this.#save();
  }

  /** Everything pushed so far has reached the store. */
  async saved(): Promise<void> {
    while (this.#saving !== undefined) await this.#saving;
  }

  async #save(): Promise<void> {
    const { store, owner, task, log } = this.#options;
    // Let a burst gather first: one write for all that is published in the same turn of the loop.
    await Promise.resolve();
    while (this.#unsaved.length > 0) {
      const changes = this.#unsaved;
      this.#unsaved = [];
      try {
        await store.save(owner, task, changes);
      } catch (error) {
        log.error("task not saved", { taskId: task.id, error });
      }
    }
    this.#saving = undefined;
  }
}
