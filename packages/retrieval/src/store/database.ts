import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@troupe/core/errors";
import { createDatabaseFile, requireSqlite } from "@troupe/core/sqlite";

import { MIGRATIONS } from "./migrations.ts";

/** How long a writer waits for another process's transaction, in milliseconds. */
const BUSY_TIMEOUT_MS = 15_000;

/** SQLITE_IOERR_SHMSIZE: the file beside a database in WAL mode found no space, at the first read already. */
const CANNOT_GROW_WAL_INDEX = 4874;
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Opens the index file, making or upgrading its tables. WAL lets other processes read while one
 * writes; `synchronous = FULL` keeps a committed document through a power cut.
 */
export function openDatabase(path: string): DatabaseSync {
  const sqlite = requireSqlite();
  let db: DatabaseSync | undefined;
  try {
    // People's documents; SQLite gives its companions the same mode.
    if (path !== ":memory:") createDatabaseFile(path);
    db = new sqlite.DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    migrate(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw toStoreError(error, path);
  }
}

function migrate(db: DatabaseSync, path: string): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  transaction(db, () => {
    // Read again under the lock: another process may have been faster.
    const version = versionOf(db);
    if (version > MIGRATIONS.length)
      throw new StoreError(
        "store.corrupt",
        `The index "${path}" was written by a newer version (schema ${version}, this one knows ${MIGRATIONS.length}). Update, or use another file.`,
      );
    for (const step of MIGRATIONS.slice(version))
      if (typeof step === "string") db.exec(step);
      else step(db);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

/** All or nothing; takes the write lock at once, so it never fails half-way for another writer. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/**
 * SQLite's refusals in words a person can act on. They name the file only where it is opened, which is
 * told to whoever runs the process: what goes wrong later is told to clients, and where things are on this
 * machine is no business of theirs.
 */
export function toStoreError(error: unknown, path?: string): unknown {
  if (!(error instanceof Error)) return error;
  const named = path === undefined ? "" : ` "${path}"`;
  const errcode = "errcode" in error ? Number(error.errcode) : 0;
  const primary = errcode & 0xff;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (primary === 13 || errcode === CANNOT_GROW_WAL_INDEX || FULL.has(code))
    return new StoreError(
      "store.full",
      `The disk is full, so the index${named} cannot be written. Free some space and try again.`,
      { cause: error, retryable: true },
    );
  if (primary === 5 || primary === 6)
    return new StoreError(
      "store.locked",
      `The index${named} is being written by another process for longer than ${BUSY_TIMEOUT_MS / 1000} s. Try again.`,
      { cause: error, retryable: true },
    );
  if (primary === 11 || primary === 26)
    return new StoreError(
      "store.corrupt",
      `The index${named} is not a usable index file. Delete it and ingest the documents again.`,
      { cause: error },
    );
  if (primary === 8 || primary === 10 || primary === 14 || syscall !== undefined)
    return new StoreError(
      "store.io",
      `The index${named} cannot be opened or written. Check that the folder exists and is writable.`,
      { cause: error },
    );
  return error;
}
