import type { Task } from "@a2a-js/sdk";
import { isTroupeError, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { SharedTasks, TaskUpdates } from "../../store/shared-tasks.ts";
import type { StoredTask, TaskStore } from "../../store/task-store.ts";
import { copyTask } from "../../wire/apply-event.ts";
import type { WireEvent } from "../../wire/parts.ts";
import { isSettled } from "../../wire/state.ts";
import type { ToldEvent } from "./event-log.ts";
import type { SubscribeOptions } from "./turn-readers.ts";

export interface HeldElsewhereOptions {
  readonly store: TaskStore;
  readonly shared: SharedTasks;
  readonly owner: string;
  readonly stored: StoredTask;
  readonly clock: Clock;
  readonly log: Log;
  /** From when nobody is told anything more. */
  readonly closing: AbortSignal;
}

/** Between two looks at what another process has stored, in milliseconds. */
const LOOK_MS = 100;

/** Ids of updates read from the store: from which version, and how many updates since. */
const ID = /^stored-(\d{1,15})\.(\d{1,15})$/;

/**
 * A task that another process works on, or did until it died: what can be said of it stands in the
 * store. It is followed there at the pace of each reader, who misses nothing and gets nothing twice.
 */
export class HeldElsewhere {
  readonly #options: HeldElsewhereOptions;
  #stored: StoredTask;

  constructor(options: HeldElsewhereOptions) {
    this.#options = options;
    this.#stored = options.stored;
  }

  /** As it was when it was last loaded. */
  snapshot(): Task {
    return copyTask(this.#stored.task);
  }

  /** Resolves when the turn is over, or the signal aborts; the snapshot is of then. */
  async settled(signal?: AbortSignal): Promise<void> {
    const { store, owner } = this.#options;
    const until = this.#until(signal);
    while (!until.aborted && !isSettled(this.#stored.task.status?.state)) {
      for await (const _ of this.#follow(this.#stored.version, 0, until));
      const loaded = await this.#patiently(() => store.load(owner, this.#stored.task.id), until);
      if (loaded === undefined) return;
      this.#stored = loaded;
    }
  }

  /**
   * Snapshot, then updates until the turn is over, what follows is no longer known, or `signal` aborts.
   * Whoever comes back with the id of the last update it had gets what came after it, from whichever
   * process, where that is still known.
   */
  async *subscribe({ lastEventId, signal }: SubscribeOptions = {}): AsyncGenerator<
    ToldEvent,
    void,
    undefined
  > {
    const { shared, owner } = this.#options;
    const { task, version } = this.#stored;
    const until = this.#until(signal);
    const [, from, count] = ID.exec(lastEventId ?? "") ?? [];
    if (from !== undefined && count !== undefined) {
      const known = await this.#patiently(() => shared.updates(owner, task.id, Number(from)), until);
      if (known !== undefined && Number(count) <= known.events.length) {
        yield* this.#follow(Number(from), Number(count), until);
        return;
      }
    }
    yield { id: `stored-${version}.0`, event: { $case: "task", value: this.snapshot() } };
    yield* this.#follow(version, 0, until);
  }

  async *#follow(from: number, had: number, until: AbortSignal): AsyncGenerator<ToldEvent, void, undefined> {
    const { shared, owner, clock } = this.#options;
    const look = (version: number): Promise<TaskUpdates | undefined> =>
      this.#patiently(() => shared.updates(owner, this.#stored.task.id, version), until);
    let skip = had;
    let version = from;
    while (!until.aborted) {
      const updates = await look(version);
      if (updates === undefined) return;
      for (const [index, event] of updates.events.entries()) {
        if (index < skip) continue;
        yield { id: `stored-${version}.${index + 1}`, event };
        if (settles(event)) return;
      }
      if (updates.version !== version) skip = 0;
      version = updates.version;
      await clock.sleep(LOOK_MS, until).catch(() => undefined);
    }
  }

  /** A store that is away is waited for, as long as somebody listens. */
  async #patiently<T>(ask: () => Promise<T>, until: AbortSignal): Promise<T | undefined> {
    const { clock, log } = this.#options;
    while (!until.aborted) {
      try {
        return await ask();
      } catch (error) {
        if (!isTroupeError(error) || (error.code !== "store.io" && error.code !== "store.full")) throw error;
        log.warn("a task that another process works on cannot be read", { error });
        await clock.sleep(LOOK_MS, until).catch(() => undefined);
      }
    }
    return undefined;
  }

  /** Fires when the reader has left or the server is closing. */
  #until(signal: AbortSignal | undefined): AbortSignal {
    const { closing } = this.#options;
    return signal === undefined ? closing : AbortSignal.any([closing, signal]);
  }
}

function settles(event: WireEvent): boolean {
  return event.$case === "statusUpdate" && isSettled(event.value.status?.state);
}
