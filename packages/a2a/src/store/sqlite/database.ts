import type { DatabaseSync, SQLInputValue } from "node:sqlite";

import { StoreError, type StoreErrorCode } from "@troupe/core";
import { createDatabaseFile, requireSqlite } from "@troupe/core/sqlite";

/** Brings a file from one version to the next, the first makes its tables. Never changed once released. */
const MIGRATIONS = [
  `
CREATE TABLE task (
  position INTEGER PRIMARY KEY, owner TEXT NOT NULL, id TEXT NOT NULL, context TEXT NOT NULL,
  state INTEGER NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL,
  settled INTEGER, settled_at INTEGER, bytes INTEGER NOT NULL,
  UNIQUE (owner, id)
) STRICT;
CREATE INDEX task_updated ON task (owner, updated_at, position);
CREATE INDEX task_of_context ON task (owner, context, updated_at, position);
CREATE INDEX task_settled ON task (settled) WHERE settled IS NOT NULL;
CREATE INDEX task_unfinished ON task (position) WHERE settled IS NULL;
CREATE TABLE change (
  task INTEGER NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE message (
  owner TEXT NOT NULL, id TEXT NOT NULL, task INTEGER NOT NULL, PRIMARY KEY (owner, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_of_task ON message (task);
`,
  // The body stands apart, so that a new state does not write it anew. A task is at its version and as
  // many more as it has changes.
  `
CREATE TABLE body (task INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
INSERT INTO body SELECT position, body FROM task;
ALTER TABLE task DROP COLUMN body;
ALTER TABLE task ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
`,
  // Whom to notify of a task, in the order in which they came.
  `
CREATE TABLE push (
  position INTEGER PRIMARY KEY, task INTEGER NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
  told TEXT NOT NULL, state TEXT NOT NULL, UNIQUE (task, id)
) STRICT;
CREATE INDEX push_open ON push (task) WHERE state = 'open';
`,
  // Runs that wait for a person, the newest last.
  `
CREATE TABLE suspended (
  position INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL UNIQUE, body TEXT NOT NULL
) STRICT;
`,
];

/** Raised with every change of the tables; a file of a later version is refused, an earlier one migrated. */
export const TASKS_VERSION = MIGRATIONS.length;

export type Database = DatabaseSync;

/**
 * Opens the file for this process alone, made with its folder when it is not there. The lock goes with
 * the process, however it ends. Throws a `StoreError`: `store.locked` while another one has it.
 */
export function openDatabase(path: string): Database {
  const { DatabaseSync } = requireSqlite();
  let db: Database | undefined;
  try {
    // What people asked and were answered; SQLite gives its companions the same mode.
    if (path !== ":memory:") createDatabaseFile(path);
    db = new DatabaseSync(path);
    // In this order: a lock that is asked for before the first look into the file is kept from then on.
    db.exec("PRAGMA busy_timeout=0; PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL;");
    migrate(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw toStoreError(error, `the tasks in ${path}`);
  }
}

function migrate(db: Database, path: string): void {
  db.exec("BEGIN EXCLUSIVE");
  try {
    const version = Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
    if (version > TASKS_VERSION)
      throw new StoreError(
        "store.corrupt",
        `the tasks in ${path} have version ${version}, this program reads up to ${TASKS_VERSION}; use the newer program that wrote them`,
      );
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
    db.exec(`PRAGMA user_version=${TASKS_VERSION}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** A prepared statement with the shape of its rows. The statement's own text is what vouches for it. */
export interface Query<Row> {
  get(...args: SQLInputValue[]): Row | undefined;
  all(...args: SQLInputValue[]): readonly Row[];
  /** The row id of what was inserted. */
  run(...args: SQLInputValue[]): number;
}

export function query<Row>(db: Database, sql: string, what: string): Query<Row> {
  const statement = db.prepare(sql);
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, what);
    }
  };
  return {
    get: (...args) => told(() => statement.get(...args) as Row | undefined),
    all: (...args) => told(() => statement.all(...args) as Row[]),
    run: (...args) => told(() => Number(statement.run(...args).lastInsertRowid)),
  };
}

/** Result codes of SQLite that a person can do something about. */
const CODES: { readonly [primary: number]: readonly [StoreErrorCode, string] } = {
  5: [
    "store.locked",
    "are in use by another process; stop it, or give this one a file or home folder of its own",
  ],
  8: ["store.io", "cannot be written; check the file's permissions"],
  10: ["store.io", "could not be read or written; see whether the disk is full or damaged"],
  11: ["store.corrupt", "are damaged; restore the file or move it away to start anew"],
  13: ["store.full", "cannot grow because the disk is full; free some space"],
  14: ["store.io", "cannot be opened; check the folder and its permissions"],
  26: ["store.corrupt", "are not readable: this is no file of tasks; move it away to start anew"],
};

export function toStoreError(error: unknown, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const code: unknown = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  const known = typeof code === "number" ? CODES[code & 0xff] : undefined;
  const [kind, text] = known ?? (["store.io", "could not be used"] as const);
  return new StoreError(kind, `${what} ${text}`, { cause: error });
}
