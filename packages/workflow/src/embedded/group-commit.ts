import { query, toStoreError, type Database, type Query } from "./database.ts";

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/**
 * One transaction for everything asked for within a turn of the event loop: an fsync is shared by
 * all runs that move at that moment. A write that fails is undone alone; what is committed is
 * durable together.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #mark: Query<never>;
  readonly #keep: Query<never>;
  readonly #undo: Query<never>;
  #group: Job[] = [];

  constructor(db: Database) {
    this.#db = db;
    this.#mark = query(db, "SAVEPOINT job");
    this.#keep = query(db, "RELEASE job");
    this.#undo = query(db, "ROLLBACK TO job");
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
      const results = this.#commit(group);
      for (const [index, job] of group.entries()) {
        const result = results[index];
        if (result?.ok === true) job.resolve(result.value as never);
        else job.reject(toStoreError(result?.error, "the journal"));
      }
    } catch (error) {
      const failure = toStoreError(error, "the journal");
      for (const job of group) job.reject(failure);
    }
  }

  #commit(group: readonly Job[]): readonly Result[] {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const results = group.map((job) => this.#do(job));
      this.#db.exec("COMMIT");
      return results;
    } catch (error) {
      // SQLite itself rolls back on some errors (a full disk), and then there is nothing to undo.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #do(job: Job): Result {
    this.#mark.run();
    try {
      const value = job.work();
      this.#keep.run();
      return { ok: true, value };
    } catch (error) {
      // With the transaction gone the others' writes are gone too: none of them may hear otherwise.
      if (!this.#db.isTransaction) throw error;
      this.#undo.run();
      this.#keep.run();
      return { ok: false, error };
    }
  }
}
