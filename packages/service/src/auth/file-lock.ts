import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@troupe/core";
import { requireSqlite } from "@troupe/core/sqlite";

/** How long another process may hold the lock, in milliseconds. */
const PATIENCE_MS = 5_000;
/** The result code of SQLite for a lock that another process holds. */
const BUSY = 5;
/** That of a full disk. */
const FULL = 13;
/** More than what a nearly full disk has left in a block. */
const PROBE_BYTES = 8_192;

/**
 * Runs `work` while no other process does so for the same folder and name. Throws a `StoreError`:
 * `store.locked` where another takes too long.
 */
export function withFileLock<T>(
  { folder, name }: { readonly folder: string; readonly name: string },
  work: () => T,
): T {
  // The system releases a SQLite lock when its process dies, however it dies.
  const sqlite = requireSqlite();
  const lock = open(() => new sqlite.DatabaseSync(join(folder, `${name}.lock`)), folder, name);
  try {
    enter(lock, folder, name);
    return work();
  } finally {
    lock.close();
  }
}

function enter(lock: DatabaseSync, folder: string, name: string): void {
  try {
    lock.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN EXCLUSIVE`);
  } catch (error) {
    throw lockError(error, folder, name);
  }
}

function open(make: () => DatabaseSync, folder: string, name: string): DatabaseSync {
  try {
    return make();
  } catch (error) {
    throw lockError(error, folder, name);
  }
}

function lockError(error: unknown, folder: string, name: string): StoreError {
  const errcode = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  if (errcode === BUSY)
    return new StoreError(
      "store.locked",
      `Another command has been changing the ${name} in "${folder}" for ${PATIENCE_MS / 1_000} s. Wait until it is done, then try again.`,
      { cause: error },
    );
  const code = errcode === FULL ? "ENOSPC" : whyNotWritable(folder, name);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new StoreError(
      "store.full",
      `The ${name} in "${folder}" cannot be changed: the disk is full. Free some space and try again.`,
      { cause: error },
    );
  const why = code === "EROFS" ? ": the file system is read-only" : code === undefined ? "" : ` (${code})`;
  return new StoreError(
    "store.io",
    `The ${name} in "${folder}" cannot be changed${why}. Check the permissions of the folder and of ${name}.lock in it.`,
    { cause: error },
  );
}

/** What the system says to a new file in the folder: SQLite does not pass it on. */
function whyNotWritable(folder: string, name: string): string | undefined {
  const path = join(folder, `${name}.lock.${process.pid}.probe`);
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeFileSync(file, Buffer.alloc(PROBE_BYTES));
    } finally {
      closeSync(file);
    }
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    rmSync(path, { force: true });
  }
}
