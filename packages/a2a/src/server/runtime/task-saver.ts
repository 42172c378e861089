import type { Task } from "@a2a-js/sdk";
import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { isConflict } from "../../store/conflict.ts";
import type { From } from "../../store/from.ts";
import type { TaskStore } from "../../store/task-store.ts";
import type { WireEvent } from "../../wire/parts.ts";

export interface TaskSaverOptions {
  readonly store: TaskStore;
  readonly owner: string;
  /** Live: what is pushed was applied to it already. */
  readonly task: Task;
  /** At which the task is stored; 0 for one that is still to be claimed. */
  readonly version: number;
  /** This runtime, where others have the store too. */
  readonly holder: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Somebody else has the task now: nothing of it is saved from here on. */
  readonly onLost: () => void;
  /** Told at each write that fails once the store has been away for longer than a moment. */
  readonly onAway: () => void;
  /** From when a write that fails is not tried again. */
  readonly closing: AbortSignal;
}

/** Waits before a write that failed is tried again, in milliseconds. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** How long those who wait for what is written do so in silence, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Text is gathered for so long between two writes, in milliseconds: what a crash may take of an answer that it breaks off. */
const GATHER_MS = 100;

/**
 * Brings the updates of a running task to its store, in order, one write at a time: what is added to
 * text now and then, anything else at once. A store that is away is waited for: what gathers meanwhile is in the task itself,
 * so nothing of it is lost.
 */
export class TaskSaver {
  readonly #options: TaskSaverOptions;
  #version: number;
  #unsaved: WireEvent[] = [];
  #saving: Promise<void> | undefined;
  /** A write has failed: the next one is of the whole task. */
  #behind = false;
  #lost = false;
  /** The last write began then. */
  #wroteAt: number;
  /** More than text waits, or somebody waits for it to be stored. */
  #urgent = false;
  #wake: () => void = () => undefined;

  constructor(options: TaskSaverOptions) {
    this.#options = options;
    this.#version = options.version;
    this.#wroteAt = options.clock.now();
  }

  /** At which the task is stored. */
  get version(): number {
    return this.#version;
  }

  /** The task was stored at this version, before anything was pushed. */
  claimed(version: number): void {
    this.#version = version;
  }

  push(event: WireEvent): void {
    if (this.#lost) return;
    if (!this.#behind) this.#unsaved.push(event);
    if (!isMoreText(event)) this.#hurry();
    this.#saving ??= this.#save();
  }

  /** Something that was pushed is still on its way. */
  get saving(): boolean {
    return this.#saving !== undefined;
  }

  /** Everything pushed so far has reached the store, or never will. */
  async saved(): Promise<void> {
    while (this.#saving !== undefined) {
      this.#hurry();
      await this.#saving;
    }
  }

  #hurry(): void {
    this.#urgent = true;
    this.#wake();
  }

  async #save(): Promise<void> {
    // Let a burst gather first: one write for all that is published in the same turn of the loop.
    await Promise.resolve();
    while (this.#unsaved.length > 0) {
      await this.#gather();
      const changes = this.#unsaved;
      this.#unsaved = [];
      await this.#attempt(() => this.#write(changes));
      if (this.#behind) await this.#catchUp();
    }
    this.#saving = undefined;
  }

  async #gather(): Promise<void> {
    const { clock } = this.#options;
    // Of a clock that was set back too.
    const wait = Math.min(this.#wroteAt + GATHER_MS - clock.now(), GATHER_MS);
    if (!this.#urgent && wait > 0)
      await new Promise<void>((resolve) => {
        const cancel = clock.schedule(wait, resolve);
        const wake = (): void => {
          cancel();
          resolve();
        };
        // By a name: V8 makes a function old from the start that is written where it is assigned to a
        // field, and the whole run would be kept with it until the next full collection.
        this.#wake = wake;
      });
    this.#urgent = false;
    this.#wroteAt = clock.now();
  }

  async #write(changes: readonly WireEvent[]): Promise<void> {
    const { store, owner, task } = this.#options;
    this.#version = await store.save(owner, task, changes, this.#from(this.#version));
  }

  async #catchUp(): Promise<void> {
    const { clock, closing, onAway } = this.#options;
    const since = clock.now();
    for (let wait = FIRST_WAIT_MS; this.#behind; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const last = closing.aborted;
      if (!last) await clock.sleep(wait, closing).catch(() => undefined);
      await this.#attempt(() => this.#writeWhole());
      if (last) break;
      if (this.#behind && clock.now() - since >= PATIENCE_MS) onAway();
    }
    this.#behind = false;
  }

  async #writeWhole(): Promise<void> {
    const { store, owner, task, holder } = this.#options;
    // Whether the write that failed came through only the store can tell.
    const stored = await store.load(owner, task.id);
    if (stored === undefined || (holder !== undefined && stored.holder?.id !== holder)) {
      this.#lose();
      return;
    }
    // From here on what is pushed is kept again: the task is written as it stands now.
    this.#behind = false;
    const from = this.#from(stored.version);
    this.#version = await store.save(owner, task, [{ $case: "task", value: task }], from);
  }

  /** Sees to what a write ends with other than a version. */
  async #attempt(write: () => Promise<void>): Promise<void> {
    const { log, task } = this.#options;
    try {
      await write();
    } catch (error) {
      if (isConflict(error)) this.#lose();
      else {
        log.error("task not saved; its store is tried again", { taskId: task.id, error });
        this.#behind = true;
        this.#unsaved = [];
      }
    }
  }

  #lose(): void {
    this.#lost = true;
    this.#behind = false;
    this.#unsaved = [];
    this.#options.log.warn("another process has taken the task over", { taskId: this.#options.task.id });
    this.#options.onLost();
  }

  #from(version: number): From {
    const { holder } = this.#options;
    return holder === undefined ? { version } : { version, holder };
  }
}

function isMoreText(event: WireEvent): boolean {
  return event.$case === "artifactUpdate" && event.value.append;
}
