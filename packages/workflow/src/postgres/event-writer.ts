import { systemRandom, type Log } from "@troupe/core";
import type { Sql } from "@troupe/core/postgres";
import { backoffMs } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { isRefused } from "./is-refused.ts";

/** An event as it is stored, in the form its columns have. */
export interface WaitingEvent {
  readonly run: string;
  readonly key: string;
  /** Where `key` only stands for it. */
  readonly longKey: string | null;
  readonly type: string;
  readonly body: string;
  /** When it was told, by the clock of this process. */
  readonly at: number;
}

export interface EventWriterOptions {
  readonly sql: Sql;
  /** The statement that stores a batch. */
  readonly append: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What is stored where the database does not take this one; nothing where that is one of these itself. */
  readonly inPlaceOf: (refused: WaitingEvent) => readonly WaitingEvent[];
  /** Told the runs of each batch once it is stored. */
  readonly onStored: (runs: ReadonlySet<string>) => void;
}

/** Of one statement: more wait for the next. One event alone may have any size. */
const BATCH_EVENTS = 500;
const BATCH_CHARS = 4 * 1024 * 1024;

const RETRY = { firstMs: 50, mostMs: 2_000, random: systemRandom };

interface Waiter {
  /** How many events have to be stored. */
  readonly count: number;
  /** Waits no longer once a try has failed. */
  readonly oneTry: boolean;
  readonly resolve: () => void;
}

/**
 * Stores events in the order in which they came, one batch at a time: what comes meanwhile makes the next.
 * While the database is away they wait and are tried again. One it refuses for good is looked for by halves, and
 * another takes its place that says so; all others are stored.
 */
export class EventWriter {
  readonly #o: EventWriterOptions;
  #waiting: WaitingEvent[] = [];
  #added = 0;
  #done = 0;
  #waiters: readonly Waiter[] = [];
  #writing = false;
  #away = false;
  #abandoned = false;
  #retry: (() => void) | undefined;

  constructor(options: EventWriterOptions) {
    this.#o = options;
  }

  /** Never refuses: whoever tells much waits for `kept` in between. */
  add(event: WaitingEvent): void {
    this.#waiting.push(event);
    this.#added++;
    if (!this.#writing) void this.#write();
  }

  /** Once all so far is stored, however long that takes. */
  kept(): Promise<void> {
    return this.#until(false);
  }

  /** Once all so far is stored, or could not be at the first try: whoever reads finds out about the database. */
  tried(): Promise<void> {
    return this.#away ? Promise.resolve() : this.#until(true);
  }

  /** Gives up what still waits; how many there were. */
  abandon(): number {
    this.#abandoned = true;
    this.#retry?.();
    return this.#waiting.length;
  }

  #until(oneTry: boolean): Promise<void> {
    const count = this.#added;
    if (this.#done >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters = [...this.#waiters, { count, oneTry, resolve }];
    });
  }

  #release(isDue: (waiter: Waiter) => boolean): void {
    const due = this.#waiters.filter(isDue);
    this.#waiters = this.#waiters.filter((waiter) => !isDue(waiter));
    for (const { resolve } of due) resolve();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    let failures = 0;
    // Whatever is told within this turn of the event loop goes together.
    await Promise.resolve();
    /** So many of the first that wait hold one that is refused. */
    let suspects = 0;
    while (this.#waiting.length > 0 && !this.#abandoned) {
      const batch = this.#batch(suspects === 0 ? BATCH_EVENTS : Math.max(1, Math.floor(suspects / 2)));
      try {
        await this.#store(batch);
        failures = 0;
        suspects = Math.max(0, suspects - batch.length);
        this.#drop(batch);
        this.#back();
      } catch (error) {
        if (this.#abandoned) return;
        if (isRefused(error)) {
          const [only, ...others] = batch;
          suspects = others.length === 0 ? 0 : batch.length;
          if (only !== undefined && others.length === 0) this.#replace(only, error);
          continue;
        }
        await this.#wait(++failures, error);
      }
    }
    this.#writing = false;
  }

  #batch(most: number): readonly WaitingEvent[] {
    let chars = 0;
    let count = 0;
    for (const { body } of this.#waiting) {
      chars += body.length;
      if (count > 0 && (count === most || chars > BATCH_CHARS)) break;
      count++;
    }
    return this.#waiting.slice(0, count);
  }

  async #store(batch: readonly WaitingEvent[]): Promise<void> {
    const { sql, append, clock, onStored } = this.#o;
    const now = clock.now();
    await sql.query(append, [
      batch.map(({ run }) => run),
      batch.map(({ key }) => key),
      batch.map(({ longKey }) => longKey),
      batch.map(({ type }) => type),
      batch.map(({ at }) => Math.max(0, Math.round(now - at))),
      batch.map(({ body }) => body),
    ]);
    onStored(new Set(batch.map(({ run }) => run)));
  }

  #drop(batch: readonly WaitingEvent[]): void {
    this.#waiting = this.#waiting.slice(batch.length);
    this.#done += batch.length;
    this.#release(({ count }) => count <= this.#done);
  }

  /** Whoever waits for the event waits for what takes its place. */
  #replace(refused: WaitingEvent, error: unknown): void {
    const { run, type } = refused;
    this.#o.log.error("an event was not kept: the database does not take it", { runId: run, type, error });
    const instead = this.#o.inPlaceOf(refused);
    this.#waiting = [refused, ...instead, ...this.#waiting.slice(1)];
    this.#added += instead.length;
    this.#waiters = this.#waiters.map((waiter) => ({ ...waiter, count: waiter.count + instead.length }));
    this.#drop([refused]);
  }

  #back(): void {
    if (this.#away) this.#o.log.info("events of runs are stored again");
    this.#away = false;
  }

  async #wait(failures: number, error: unknown): Promise<void> {
    const { clock, log } = this.#o;
    if (!this.#away) log.warn("events of runs could not be stored; they wait and are tried again", { error });
    this.#away = true;
    this.#release(({ oneTry }) => oneTry);
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(backoffMs(failures, RETRY) ?? RETRY.mostMs, resolve);
      this.#retry = () => {
        cancel();
        resolve();
      };
    });
    this.#retry = undefined;
  }
}
