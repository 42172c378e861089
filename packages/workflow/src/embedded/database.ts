import type { DatabaseSync, SQLInputValue } from "node:sqlite";

import { StoreError, type StoreErrorCode } from "@troupe/core";
import { createDatabaseFile, GroupCommit, requireSqlite } from "@troupe/core/sqlite";

import { WaitingEvents } from "./waiting-events.ts";

/** Raised with every change of the tables; a file of a later version is refused, an earlier one migrated. */
export const JOURNAL_VERSION = 5;

/** Brings a file from one version to the next, the first makes its tables. Never changed once released. */
const MIGRATIONS = [
  `
CREATE TABLE run (
  id TEXT PRIMARY KEY, spec TEXT NOT NULL, input TEXT NOT NULL,
  created_at INTEGER NOT NULL, outcome TEXT, ended_at INTEGER
) STRICT;
CREATE INDEX run_open ON run (created_at) WHERE outcome IS NULL;
CREATE TABLE journal (
  run TEXT NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE signal (
  run TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE signal_answer (
  run TEXT NOT NULL, key TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE timer (
  run TEXT NOT NULL, name TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_index (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, objective TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX run_index_created ON run_index (created_at);
CREATE TABLE event (
  run TEXT NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
  at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX event_key ON event (run, key);
CREATE INDEX event_folded ON event (run, position)
  WHERE type IN ('plan-update', 'step-status', 'input-required', 'finish');
`,
  `
ALTER TABLE run_index ADD COLUMN user_id TEXT;
UPDATE run_index SET user_id =
  (SELECT json_extract(run.input, '$.userId') FROM run WHERE run.id = run_index.id);
`,
  `
ALTER TABLE run_index ADD COLUMN thread_id TEXT;
CREATE INDEX run_index_thread ON run_index (thread_id, created_at) WHERE thread_id IS NOT NULL;
`,
  // Runs that are being forgotten, and those that may be.
  `
CREATE TABLE forgotten (run TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE INDEX run_ended ON run (ended_at) WHERE ended_at IS NOT NULL;
`,
  // What hundreds of runs write at the same moment stands side by side, whichever run it is of: rows in the
  // order they came in, and numbers for runs in the indexes, never given twice. Their transactions change a third of the pages.
  `
CREATE TABLE run_number (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO run_number (id)
  SELECT id FROM run UNION SELECT id FROM run_index UNION SELECT run FROM journal UNION SELECT run FROM event
  UNION SELECT run FROM forgotten;
ALTER TABLE journal RENAME TO journal_4;
CREATE TABLE journal (
  run INTEGER NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL
) STRICT;
INSERT INTO journal (run, seq, name, value)
  SELECT number, seq, name, value FROM journal_4 JOIN run_number ON id = run ORDER BY run, seq;
DROP TABLE journal_4;
CREATE UNIQUE INDEX journal_seq ON journal (run, seq);
ALTER TABLE event RENAME TO event_4;
CREATE TABLE event (
  run INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
  at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
INSERT INTO event (run, position, key, type, at, body)
  SELECT number, position, key, type, at, body FROM event_4 JOIN run_number ON id = run ORDER BY run, position;
DROP TABLE event_4;
CREATE UNIQUE INDEX event_position ON event (run, position);
CREATE UNIQUE INDEX event_key ON event (run, key);
CREATE INDEX event_folded ON event (run, position)
  WHERE type IN ('plan-update', 'step-status', 'input-required', 'finish');
`,
];

/** The number of run ?1, where it has one. */
export const RUN_NUMBER = "(SELECT number FROM run_number WHERE id = ?1)";

export type Database = DatabaseSync;

/** A journal file that is open. */
export interface Storage {
  readonly db: Database;
  /** All its writes. What is lasting survives a power cut; kill -9 loses nothing that was committed. */
  readonly group: GroupCommit;
  readonly waiting: WaitingEvents;
}

/** Opens the file, made with its folder when it is not there. Throws a `StoreError`. */
export function openStorage(path: string): Storage {
  const db = openDatabase(path);
  const waiting = new WaitingEvents();
  const group = new GroupCommit(db, {
    failed: (error) => toStoreError(error, `the journal ${path}`),
    undone: () => waiting.undone(),
  });
  return { db, group, waiting };
}

/** Room for what hundreds of runs write to at the same time. */
const CACHE_KIB = 8_192;

/** Pages of 4 KiB after which they are moved from the write-ahead log to the file. */
const WAL_PAGES = 4_000;

/** What stays of a write-ahead log that has grown beyond, such as while somebody else read for long. */
const WAL_BYTES = 32 * 1024 * 1024;

/**
 * Makes a file of an earlier version such that pages can be given back to the disk. It is written anew for
 * that, once, before anything is at work; where that cannot be, on a full disk or beside a reader, it
 * stays as it is until it is opened the next time.
 */
export function makeShrinkable({ db }: Storage): void {
  if (db.prepare("PRAGMA auto_vacuum").get()?.["auto_vacuum"] === 2) return;
  try {
    db.exec("PRAGMA auto_vacuum=INCREMENTAL; VACUUM");
  } catch {
    // It works as well as it did.
  }
}

function openDatabase(path: string): Database {
  const sqlite = requireSqlite();
  try {
    // What people asked and were answered; SQLite gives its companions the same mode.
    if (path !== ":memory:") createDatabaseFile(path, "PRAGMA auto_vacuum=INCREMENTAL");
    const db = new sqlite.DatabaseSync(path);
    // The second has its effect in a new file only, and before anything else of it.
    db.exec("PRAGMA busy_timeout=5000; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;");
    db.exec(`PRAGMA cache_size=-${CACHE_KIB}; PRAGMA wal_autocheckpoint=${WAL_PAGES};`);
    db.exec(`PRAGMA journal_size_limit=${WAL_BYTES}`);
    migrate(db, path);
    return db;
  } catch (error) {
    throw toStoreError(error, `the journal ${path}`);
  }
}

function migrate(db: Database, path: string): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    const row = db.prepare("PRAGMA user_version").get();
    const version = Number(row?.["user_version"] ?? 0);
    if (version > JOURNAL_VERSION) {
      throw new StoreError(
        "store.corrupt",
        `the journal ${path} has version ${version}, this program reads up to ${JOURNAL_VERSION}; use the newer program that wrote it`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
    if (version < JOURNAL_VERSION) db.exec(`PRAGMA user_version=${JOURNAL_VERSION}`);
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

/** A prepared statement with the shape of its rows. The statement's own text is what vouches for it. */
export interface Query<Row> {
  get(...args: SQLInputValue[]): Row | undefined;
  all(...args: SQLInputValue[]): readonly Row[];
  /** How many rows changed. */
  run(...args: SQLInputValue[]): number;
}

/** Throws a `StoreError` where SQLite cannot do what the statement says, such as in a file that is damaged. */
export function query<Row>(db: Database, sql: string): Query<Row> {
  const statement = inStore(db, () => db.prepare(sql));
  return {
    get: (...args) => inStore(db, () => statement.get(...args) as Row | undefined),
    all: (...args) => inStore(db, () => statement.all(...args) as Row[]),
    run: (...args) => inStore(db, () => Number(statement.run(...args).changes)),
  };
}

function inStore<T>(db: Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // Anything else is a mistake of ours, such as a statement of a database that was closed.
    if (typeof (error as { readonly errcode?: unknown }).errcode !== "number") throw error;
    const { file } = db.prepare("PRAGMA database_list").get() ?? {};
    throw toStoreError(error, `the journal ${typeof file === "string" ? file : ""}`);
  }
}

/** A statement that writes for run ?1, whose number it takes from `run_number`. */
export interface RunWrite {
  /** False when it changed nothing, though the run has its number. */
  run(runId: string, ...args: SQLInputValue[]): boolean;
}

/** Gives a run its number with what is first written of it. */
export function runWrite(db: Database, sql: string): RunWrite {
  const write = query<never>(db, sql);
  const number = query<never>(db, "INSERT OR IGNORE INTO run_number (id) VALUES (?)");
  return {
    run: (runId, ...args) =>
      write.run(runId, ...args) > 0 || (number.run(runId) > 0 && write.run(runId, ...args) > 0),
  };
}

/** Result codes of SQLite that a person can do something about. */
const CODES: { readonly [primary: number]: readonly [StoreErrorCode, string] } = {
  5: ["store.locked", "is locked by another process; stop it or use another folder"],
  8: ["store.io", "cannot be written; check its permissions"],
  10: ["store.io", "could not be read or written; see whether its disk is full or damaged"],
  11: ["store.corrupt", "is damaged; restore it or move it away to start anew"],
  13: ["store.full", "cannot grow because the disk is full; free some space"],
  14: ["store.io", "cannot be opened; check the folder and its permissions"],
  26: ["store.corrupt", "is not a journal; move it away to start anew"],
};

/** Codes of what SQLite takes at no later try either: it is too large, or fits no rule of the table. */
const NEVER_TAKEN: readonly unknown[] = [18, 19, 20];

/** Whether it is what was to be written that is refused, and not that the disk cannot take it now. */
export function isNeverTaken(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  const code = (cause as { readonly errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" && NEVER_TAKEN.includes(code & 0xff);
}

export function toStoreError(error: unknown, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = (error as { readonly errcode?: unknown }).errcode;
  const [kind, text] = (typeof code === "number" ? CODES[code & 0xff] : undefined) ?? [
    "store.io" as const,
    "could not be used",
  ];
  return new StoreError(kind, `${what} ${text}`, { cause: error });
}
