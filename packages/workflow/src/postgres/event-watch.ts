import type { Log } from "@troupe/core";
import type { Sql } from "@troupe/core/postgres";
import { fromColumn, toColumn } from "@troupe/core/postgres";
import type { Clock } from "@troupe/stream";

export interface EventWatchOptions {
  readonly sql: Sql;
  /** The statement that tells how many events runs have. */
  readonly ends: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly pollMs: number;
}

interface Follower {
  readonly runId: string;
  /** First position it has not seen. */
  readonly from: number;
  /** It has read of the run, so that one that is not there any more was forgotten. */
  readonly began: boolean;
  readonly wake: () => void;
}

/** How much longer it waits between two looks while the database is away. */
const AWAY = 10;

/**
 * Tells followers that their runs have more events, whoever wrote them: one short read for all of them and
 * interval, and none while nobody follows. Looking needs no connection of its own and works behind any pooler.
 */
export class EventWatch {
  readonly #o: EventWatchOptions;
  readonly #followers = new Set<Follower>();
  #cancel: (() => void) | undefined;
  #looking = false;
  #away = false;
  #closed = false;

  constructor(options: EventWatchOptions) {
    this.#o = options;
  }

  /**
   * Once the run may have an event at `from` or, where one has begun to read it, is gone; once the signal
   * aborts, or nothing is watched any more.
   */
  change(
    { runId, from, began }: Pick<Follower, "runId" | "from" | "began">,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#closed || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        this.#followers.delete(follower);
        if (this.#followers.size === 0) this.#stop();
        resolve();
      };
      const follower: Follower = { runId, from, began, wake };
      this.#followers.add(follower);
      signal.addEventListener("abort", wake, { once: true });
      this.#start();
    });
  }

  /** Events of these runs were stored here: nobody needs to look for them. */
  stored(runIds: ReadonlySet<string>): void {
    for (const follower of this.#followers) if (runIds.has(follower.runId)) follower.wake();
  }

  close(): void {
    this.#closed = true;
    for (const { wake } of this.#followers) wake();
  }

  #start(): void {
    if (this.#closed || this.#looking || this.#cancel !== undefined || this.#followers.size === 0) return;
    const { clock, pollMs } = this.#o;
    this.#cancel = clock.schedule(this.#away ? pollMs * AWAY : pollMs, () => {
      this.#cancel = undefined;
      void this.#look();
    });
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  async #look(): Promise<void> {
    const { sql, ends, log } = this.#o;
    const followed = new Set([...this.#followers].map(({ runId }) => toColumn(runId)));
    this.#looking = true;
    try {
      const rows = await sql.query<{ id: string; events: number }>(ends, [[...followed]]);
      const events = new Map(rows.map((row) => [fromColumn(row.id), row.events]));
      for (const { runId, from, began, wake } of this.#followers) {
        const now = events.get(runId);
        if (now === undefined ? began : now > from) wake();
      }
      this.#away = false;
    } catch (error) {
      if (!this.#away && !this.#closed)
        log.warn("events of runs could not be looked for; it is tried again", { error });
      this.#away = true;
    } finally {
      this.#looking = false;
    }
    this.#start();
  }
}
