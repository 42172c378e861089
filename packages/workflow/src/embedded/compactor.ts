import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { query, RUN_NUMBER, type Storage } from "./database.ts";

/** What is kept of runs that have ended. A run is kept whole or not at all; open ones always are. */
export interface KeepRuns {
  /** Milliseconds since its end; for ever when left out. */
  readonly ms?: number;
  /** Bytes of the file that are in use: beyond them the oldest go first. No limit when left out. */
  readonly bytes?: number;
}

/** `open`: it has not ended, and stays. */
export type ForgetAnswer = "forgotten" | "open" | "no-run";

/** Rows that are deleted in one transaction: a few milliseconds, between which runs go on. */
const SLICE = 500;
/** Runs looked for at a time. */
const BATCH = 50;
/** Pages given back to the disk in one transaction, and as many free ones as may stay for what comes next. */
const PAGES = 256;

const SWEEP_MS = 3_600_000;
const FIRST_SWEEP_MS = 60_000;

/**
 * Forgets runs: by name, or by age and size once an hour. In small transactions, so that runs at work go on
 * between them. A run is off the lists with the first of these; what a killed process left of it goes with
 * the next sweep.
 */
export class Compactor {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #keep: KeepRuns;
  readonly #sql: ReturnType<typeof statements>;
  #cancel = (): void => undefined;
  #closed = false;

  constructor(storage: Storage, o: { readonly clock: Clock; readonly log: Log; readonly keep: KeepRuns }) {
    this.#storage = storage;
    this.#clock = o.clock;
    this.#log = o.log;
    this.#keep = o.keep;
    this.#sql = statements(storage);
  }

  /** Sweeps from time to time until it is closed. */
  start(): void {
    const { ms, bytes } = this.#keep;
    if (ms !== undefined || bytes !== undefined) this.#next(FIRST_SWEEP_MS);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  async forget(runId: string): Promise<ForgetAnswer> {
    const answer = await this.#write(() => this.#mark(runId));
    if (answer === "forgotten") await this.#remove(runId);
    return answer;
  }

  /** Resolves with how many runs were forgotten. */
  async sweep(): Promise<number> {
    let forgotten = 0;
    const forget = async (runs: readonly { readonly id: string }[]): Promise<boolean> => {
      for (const { id } of runs) if (!this.#closed && (await this.forget(id)) === "forgotten") forgotten++;
      return runs.length > 0 && !this.#closed;
    };
    for (const { run } of this.#sql.marked.all()) if (!this.#closed) await this.#remove(run);
    const { ms, bytes } = this.#keep;
    if (ms !== undefined) {
      const before = this.#clock.now() - ms;
      while (await forget(this.#sql.endedBefore.all(before, BATCH)));
    }
    if (bytes !== undefined)
      while (this.#bytesInUse() > bytes && (await forget(this.#sql.endedBefore.all(Infinity, 1))));
    while (!this.#closed && this.#freePages() > PAGES)
      await this.#write(() => this.#storage.db.exec(`PRAGMA incremental_vacuum(${PAGES})`));
    return forgotten;
  }

  #next(ms: number): void {
    this.#cancel = this.#clock.schedule(ms, () => {
      this.sweep()
        .then((runs) => runs > 0 && this.#log.info("old runs were forgotten", { runs }))
        .catch((error: unknown) => {
          if (!this.#closed) this.#log.warn("old runs could not be forgotten", { error });
        })
        .finally(() => {
          if (!this.#closed) this.#next(SWEEP_MS);
        });
    });
  }

  #mark(runId: string): ForgetAnswer {
    const run = this.#sql.run.get(runId);
    if (run?.open === 1) return "open";
    // One that never came as far as a workflow stands in the list alone, with its end.
    const listed = this.#sql.ended.get(runId) !== undefined;
    if (run === undefined && !listed) return "no-run";
    this.#sql.mark.run(runId);
    this.#sql.unlist.run(runId);
    return "forgotten";
  }

  /** The row of the run goes last: as long as anything of it is there nobody begins another by its name. */
  async #remove(runId: string): Promise<void> {
    const { slices, last } = this.#sql;
    for (const slice of slices) while (await this.#write(() => slice.run(runId) === SLICE));
    await this.#write(() => {
      for (const one of last) one.run(runId);
    });
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#storage.group.run(work, false);
  }

  #bytesInUse(): number {
    const { pages = 0, free = 0, size = 0 } = this.#sql.pages.get() ?? {};
    return (pages - free) * size;
  }

  #freePages(): number {
    return this.#sql.vacuum.get()?.auto_vacuum === 2 ? (this.#sql.pages.get()?.free ?? 0) : 0;
  }
}

function statements({ db }: Storage) {
  const finished = `SELECT 1 FROM event WHERE run = ${RUN_NUMBER} AND type = 'finish' AND key = 'finish'`;
  return {
    run: query<{ readonly open: 0 | 1 }>(db, "SELECT outcome IS NULL AS open FROM run WHERE id = ?"),
    ended: query<object>(db, `SELECT 1 FROM run_index WHERE id = ?1 AND EXISTS (${finished})`),
    mark: query<never>(db, "INSERT OR IGNORE INTO forgotten (run) VALUES (?)"),
    unlist: query<never>(db, "DELETE FROM run_index WHERE id = ?"),
    marked: query<{ readonly run: string }>(db, "SELECT run FROM forgotten"),
    /** Those that were begun and, without a row of their own, those that never came so far. */
    endedBefore: query<{ readonly id: string }>(
      db,
      `SELECT id, ended_at AS at FROM run WHERE ended_at < ?1 AND id NOT IN (SELECT run FROM forgotten)
       UNION ALL
       SELECT id, created_at FROM run_index WHERE created_at < ?1
         AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = run_index.id)
         AND EXISTS (${finished.replace("?1", "run_index.id")})
       ORDER BY at LIMIT ?2`,
    ),
    slices: [
      query<never>(
        db,
        `DELETE FROM event WHERE rowid IN (SELECT rowid FROM event WHERE run = ${RUN_NUMBER} ORDER BY position LIMIT ${SLICE})`,
      ),
      query<never>(
        db,
        `DELETE FROM journal WHERE rowid IN (SELECT rowid FROM journal WHERE run = ${RUN_NUMBER} ORDER BY seq LIMIT ${SLICE})`,
      ),
    ],
    last: ["signal", "signal_answer", "timer", "forgotten"]
      .map((table) => query<never>(db, `DELETE FROM ${table} WHERE run = ?`))
      .concat(["run_number", "run"].map((table) => query<never>(db, `DELETE FROM ${table} WHERE id = ?`))),
    pages: query<{ readonly pages: number; readonly free: number; readonly size: number }>(
      db,
      `SELECT page_count AS pages, freelist_count AS free, page_size AS size
       FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    ),
    vacuum: query<{ readonly auto_vacuum: number }>(db, "SELECT auto_vacuum FROM pragma_auto_vacuum"),
  };
}
