import { toStoreError, type Database } from "./database.ts";

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One transaction for everything asked for within a turn of the event loop: an fsync is shared by
 * all runs that move at that moment. Either all of a group is durable or none of it is.
 */
export class GroupCommit {
  readonly #db: Database;
  #group: Job[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves with what `work` returned once it is durable; rejects with a `StoreError`. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#group.push({ work, resolve, reject });
      if (this.#group.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what waits, now. */
  flush(): void {
    const group = this.#group;
    if (group.length === 0) return;
    this.#group = [];
    try {
      const values = this.#commit(group);
      for (const [index, job] of group.entries()) job.resolve(values[index] as never);
    } catch (error) {
      const failure = toStoreError(error, "the journal");
      for (const job of group) job.reject(failure);
    }
  }

  #commit(group: readonly Job[]): readonly unknown[] {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const values = group.map((job) => job.work());
      this.#db.exec("COMMIT");
      return values;
    } catch (error) {
      // SQLite itself rolls back on some errors (a full disk), and then there is nothing to undo.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}
