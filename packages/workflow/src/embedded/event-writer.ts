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
  /** Told of a run of which something more is kept; `refused`: the disk had not taken it at first. */
  readonly onKept: (runId: string, how: { readonly refused: boolean }) => void;
  /** Told of a run at each try once something of it is refused for too long for anybody to wait for in silence. */
  readonly onRefused: (runId: string, error: unknown) => void;
}

/** How long a run only waits, in milliseconds: a lock goes away by itself, a full disk may not. */
const PATIENCE_MS = 10_000;

const RETRY = { firstMs: 50, mostMs: 2_000, random: systemRandom };

interface Waiter {
  /** Absent: all runs. */
  readonly runId?: string;
  readonly resolve: () => void;
}

/**
 * Keeps what is told, in one transaction for each turn of the event loop, without an fsync of its own. What the disk
 * refuses waits, with all that its run tells after it, and is tried again until it is kept or this is closed: each run
 * by itself, so that one event for which there is no room holds up no other run.
 */
export class EventWriter {
  readonly #o: EventWriterOptions;
  /** Runs of which something could not be kept, with since when. */
  readonly #refused = new Map<string, number>();
  /** Runs whose events are in the next group. */
  readonly #queued = new Set<string>();
  #waiters: readonly Waiter[] = [];
  #retrying = false;
  #closed = false;
  #stopPause = (): void => undefined;

  constructor(options: EventWriterOptions) {
    this.#o = options;
    const insert = eventInsert(options.storage.db);
    options.storage.waiting.servedBy({
      put: (event) => this.#put(insert, event),
      onKept: (runId) => this.#kept(runId),
    });
  }

  add(event: WaitingEvent): void {
    const { runId, key } = event;
    const { waiting } = this.#o.storage;
    const isRefused = this.#refused.has(runId);
    // A run that is resumed meanwhile tells again what waits.
    if (isRefused && waiting.of(runId).some((other) => other.key === key)) return;
    waiting.add(event);
    if (!isRefused) this.#queue(runId);
  }

  /** Once nothing of the run waits because the disk refused it. */
  drained(runId: string): Promise<void> {
    if (!this.#refused.has(runId)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters = [...this.#waiters, { runId, resolve }];
    });
  }

  /** Once nothing waits of any run. */
  kept(): Promise<void> {
    if (this.#o.storage.waiting.runs.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters = [...this.#waiters, { resolve }];
    });
  }

  /** What waits is tried with what the group writes next, and then no more. */
  close(): void {
    this.#closed = true;
    this.#stopPause();
    for (const { resolve } of this.#waiters) resolve();
    this.#waiters = [];
    for (const runId of this.#o.storage.waiting.runs) this.#queue(runId);
  }

  #queue(runId: string): void {
    if (this.#queued.has(runId)) return;
    this.#queued.add(runId);
    void this.#write(runId);
  }

  async #write(runId: string): Promise<void> {
    const { group, waiting } = this.#o.storage;
    try {
      const last = await group.run(() => {
        this.#queued.delete(runId);
        return waiting.write(runId);
      }, false);
      waiting.kept(runId, last);
    } catch (error) {
      this.#refuse(runId, error);
    }
  }

  #put(insert: (event: StoredEvent) => void, event: StoredEvent): void {
    try {
      insert(event);
    } catch (error) {
      if (!isNeverTaken(error)) throw error;
      const { runId, key } = event;
      this.#o.log.error("an event was not kept: the database does not take it", { runId, key, error });
    }
  }

  /** By this, or with what the run journaled. */
  #kept(runId: string): void {
    const refused = this.#refused.delete(runId);
    // Told since this was committed, while it still passed for refused.
    if (!this.#closed && this.#o.storage.waiting.of(runId).length > 0) this.#queue(runId);
    this.#release();
    this.#o.onKept(runId, { refused });
  }

  #refuse(runId: string, error: unknown): void {
    const { waiting } = this.#o.storage;
    // What the run journaled took them along meanwhile.
    if (waiting.of(runId).length === 0) return;
    if (this.#closed) {
      waiting.drop(runId);
      this.#o.log.error("events were not kept", { runId, error });
      return;
    }
    const now = this.#o.clock.now();
    const since = this.#refused.get(runId);
    if (since === undefined) {
      this.#refused.set(runId, now);
      this.#o.log.warn("events could not be kept; they wait and are tried again", { runId, error });
    } else if (now - since >= PATIENCE_MS) this.#o.onRefused(runId, error);
    if (!this.#retrying) void this.#retry();
  }

  async #retry(): Promise<void> {
    this.#retrying = true;
    for (let failures = 1; this.#refused.size > 0; failures++) {
      await this.#pause(Math.ceil(backoffMs(failures, RETRY) ?? RETRY.mostMs));
      if (this.#closed) return;
      await Promise.all([...this.#refused.keys()].map((runId) => this.#write(runId)));
      if (this.#closed) return;
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
    if (this.#waiters.length === 0) return;
    const isAll = this.#o.storage.waiting.runs.length === 0;
    const holds = ({ runId }: Waiter): boolean => (runId === undefined ? !isAll : this.#refused.has(runId));
    const due = this.#waiters.filter((waiter) => !holds(waiter));
    this.#waiters = this.#waiters.filter(holds);
    for (const { resolve } of due) resolve();
  }
}
