import type { DatabaseSync, StatementSync } from "node:sqlite";

interface Job {
  readonly work: () => unknown;
  readonly lasting: boolean;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitOptions {
  /** What a write that could not be done is rejected with, such as a `StoreError`. */
  readonly failed: (error: unknown) => Error;
  /** Told when jobs that were begun are undone; they are begun again, or fail. */
  readonly undone?: () => void;
}

/**
 * One transaction for everything asked for within a turn of the event loop, so that all who write at that
 * moment share one wait for the disk. Where a job of it cannot be done the others are done one by one, so
 * that nobody's write is lost over somebody else's: a job may run twice, and changes nothing but the
 * database. A group survives kill -9; one with a lasting job survives a power cut too, and with it
 * everything before. The database, in WAL mode, is its own from here on.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #o: GroupCommitOptions;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  #lasting: boolean | undefined;
  #group: Job[] = [];
  #closed = false;

  constructor(db: DatabaseSync, options: GroupCommitOptions) {
    this.#db = db;
    this.#o = options;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#end = db.prepare("COMMIT");
  }

  /** Resolves with what `work` returned once it is stored; rejects with what `failed` makes of the error. */
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
        job.reject(this.#o.failed(error));
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

  /** Writes what waits and closes the database. */
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
      this.#o.undone?.();
      throw error;
    }
  }
}
