import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@troupe/core";
import { requireSqlite } from "@troupe/core/sqlite";

/** How long another process may hold the lock, in milliseconds. */
const PATIENCE_MS = 5_000;
/** The result code of SQLite for a lock that another process holds. */
const BUSY = 5;

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
  const lock = new sqlite.DatabaseSync(join(folder, `${name}.lock`));
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
    const busy = error instanceof Error && "errcode" in error && error.errcode === BUSY;
    throw new StoreError(
      busy ? "store.locked" : "store.io",
      busy
        ? `Another command has been changing the ${name} in "${folder}" for ${PATIENCE_MS / 1_000} s. Wait until it is done, then try again.`
        : `The ${name} in "${folder}" cannot be changed. Check the permissions of the folder and of ${name}.lock in it.`,
      { cause: error },
    );
  }
}
