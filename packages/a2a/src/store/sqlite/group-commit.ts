import type { StatementSync } from "node:sqlite";

import type { Database } from "./database.ts";
import { toStoreError } from "./database.ts";

interface Job {
  readonly work: () => unknown;
  readonly lasting: boolean;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One transaction for everything asked for within a turn of the event loop. Where a job of it cannot be
 * done the others are done one by one, so that nobody's write is lost over somebody else's. A group
 * survives kill -9; one with a lasting job survives a power cut too, and with it everything before.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #what: string;
  readonly #undone: () => void;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  #lasting: boolean | undefined;
  #group: Job[] = [];
  #closed = false;

  /** @param undone told when jobs that were begun are undone; they are begun again, or fail */
  constructor(db: Database, what: string, undone: () => void) {
    this.#db = db;
    this.#what = what;
    this.#undone = undone;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#end = db.prepare("COMMIT");
  }

  /** Resolves with what `work` returned once it is stored; rejects with a `StoreError`. */
  run<T>(work: () => T, lasting: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#group.push({ work, lasting, resolve, reject });
      if (this.#group.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    const group = this.#group;
    if (group.length === 0) return;
    this.#group = [];
    if (this.#tryTogether(group)) return;
    for (const job of group) {
      try {
        const [value] = this.#commit([job]);
        job.resolve(value as never);
      } catch (error) {
        job.reject(toStoreError(error, this.#what));
      }
    }
  }

  #tryTogether(group: readonly Job[]): boolean {
    if (group.length === 1) return false;
    try {
      const values = this.#commit(group);
      for (const [index, job] of group.entries()) job.resolve(values[index] as never);
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    this.#db.close();
  }

  #commit(group: readonly Job[]): readonly unknown[] {
    const lasting = group.some((job) => job.lasting);
    if (lasting !== this.#lasting) this.#db.exec(`PRAGMA synchronous=${lasting ? "FULL" : "NORMAL"}`);
    this.#lasting = lasting;
    this.#begin.run();
    try {
      const values = group.map((job) => job.work());
      this.#end.run();
      return values;
    } catch (error) {
      // SQLite itself rolls back on some errors (a full disk), and then there is nothing to undo.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      this.#undone();
      throw error;
    }
  }
}
