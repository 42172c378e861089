import { systemRandom, type Log } from "@troupe/core";
import { backoffMs } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { isNeverTaken, type Storage } from "./database.ts";
import { eventInsert } from "./event-queries.ts";
import type { StoredEvent, WaitingEvent } from "./waiting-events.ts";

export interface EventWriterOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of a run of which something more is kept. */
  readonly onKept: (runId: string) => void;
  /** Told of a run at each try once something of it is refused for too long for anybody to wait for in silence. */
  readonly onRefused: (runId: string, error: unknown) => void;
}

/** How long a run only waits, in milliseconds: a lock goes away by itself, a full disk may not. */
const PATIENCE_MS = 10_000;

const RETRY = { firstMs: 50, mostMs: 2_000, random: systemRandom };

interface Waiter {
  readonly runId: string;
  readonly resolve: () => void;
}

/**
 * Keeps what is told, in one transaction for each turn of the event loop, without an fsync of its own. What the disk
 * refuses waits, with all that its run tells after it, and is tried again until it is kept or this is closed: each run
 * by itself, so that one event for which there is no room holds up no other run.
 */
export class EventWriter {
  readonly #o: EventWriterOptions;
  readonly #insert: (event: StoredEvent) => void;
  /** Runs of which something could not be kept, with since when. */
  readonly #refused = new Map<string, number>();
  #waiters: readonly Waiter[] = [];
  /** What waits of all other runs is in the next group. */
  #queued = false;
  #retrying = false;
  #closed = false;
  #stopPause = (): void => undefined;

  constructor(options: EventWriterOptions) {
    this.#o = options;
    this.#insert = eventInsert(options.storage.db);
  }

  add(event: WaitingEvent): void {
    const { waiting } = this.#o.storage;
    const isRefused = this.#refused.has(event.runId);
    // A run that is resumed meanwhile tells again what waits.
    if (isRefused && waiting.of(event.runId).some(({ key }) => key === event.key)) return;
    waiting.add(event);
    if (!this.#queued && !isRefused) void this.#writeAll();
  }

  /** Once nothing of the run waits because the disk refused it. */
  drained(runId: string): Promise<void> {
    if (!this.#refused.has(runId)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters = [...this.#waiters, { runId, resolve }];
    });
  }

  /** What waits is tried with what the group writes next, and then no more. */
  close(): void {
    this.#closed = true;
    this.#stopPause();
    this.#refused.clear();
    this.#release();
    if (this.#o.storage.waiting.runs.length > 0 && !this.#queued) void this.#writeAll();
  }

  /** Of all runs of which nothing was refused. */
  #writeAll(): Promise<void> {
    this.#queued = true;
    return this.#write(() => {
      this.#queued = false;
      return this.#o.storage.waiting.runs.filter((runId) => !this.#refused.has(runId));
    });
  }

  /** @param which asked for when it is their turn */
  async #write(which: () => readonly string[]): Promise<void> {
    const { group, waiting } = this.#o.storage;
    try {
      const kept = await group.run(() => {
        const runs = which();
        for (const runId of runs) waiting.write(this.#put, runId);
        return runs.map((runId) => ({ runId, last: waiting.of(runId).at(-1) }));
      }, false);
      for (const { runId, last } of kept) {
        if (last !== undefined) waiting.drop(last);
        this.#refused.delete(runId);
        this.#o.onKept(runId);
      }
    } catch (error) {
      this.#refuse(which(), error);
    }
  }

  readonly #put = (event: StoredEvent): void => {
    try {
      this.#insert(event);
    } catch (error) {
      if (!isNeverTaken(error)) throw error;
      const { runId, key } = event;
      this.#o.log.error("an event was not kept: the database does not take it", { runId, key, error });
    }
  };

  #refuse(runs: readonly string[], error: unknown): void {
    if (this.#closed) {
      this.#o.log.error("events were not kept", { runs, error });
      return;
    }
    const now = this.#o.clock.now();
    for (const runId of runs) {
      const since = this.#refused.get(runId) ?? now;
      this.#refused.set(runId, since);
      if (now - since >= PATIENCE_MS) this.#o.onRefused(runId, error);
    }
    if (this.#retrying) return;
    this.#o.log.warn("events could not be kept; they wait and are tried again", { runs, error });
    void this.#retry();
  }

  async #retry(): Promise<void> {
    this.#retrying = true;
    for (let failures = 1; this.#refused.size > 0; failures++) {
      await this.#pause(backoffMs(failures, RETRY) ?? RETRY.mostMs);
      if (this.#closed) return;
      await Promise.all([...this.#refused.keys()].map((runId) => this.#write(() => [runId])));
      this.#release();
    }
    this.#retrying = false;
    this.#o.log.info("events are kept again");
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#o.clock.schedule(ms, resolve);
      this.#stopPause = () => {
        cancel();
        resolve();
      };
    });
  }

  #release(): void {
    const holds = ({ runId }: Waiter): boolean => this.#refused.has(runId);
    const due = this.#waiters.filter((waiter) => !holds(waiter));
    this.#waiters = this.#waiters.filter(holds);
    for (const { resolve } of due) resolve();
  }
}
