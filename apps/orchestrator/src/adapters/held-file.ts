import { rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { requireSqlite } from "@troupe/core/sqlite";

/** Held on to: collecting a database that nobody refers to closes it, and with it goes the lock. */
const held = new Set<DatabaseSync>();

/** Whoever looks whether a file is held has it for a moment; to wait longer is to wait for a holder. */
const LOOK_MS = 500;

/**
 * Makes this process the holder of a file until it lets go or dies, however it dies: the lock is one of
 * SQLite, which the system drops with the process. A process id in a file would go on to mean whoever
 * got that id next.
 * @returns lets go and removes the file, or leaves it there where `keep` says so: whoever waits for a file that
 * is removed may come to hold one that nobody sees; undefined when another process holds it
 */
export function holdFile(path: string, { keep = false } = {}): (() => void) | undefined {
  const sqlite = requireSqlite();
  const database = new sqlite.DatabaseSync(path);
  let free = false;
  try {
    free = isFree(database, LOOK_MS);
  } finally {
    if (!free) database.close();
  }
  if (!free) return undefined;
  held.add(database);
  return () => {
    if (!keep) rmSync(path, { force: true });
    held.delete(database);
    database.close();
  };
}

/**
 * Whether a process holds a file. One that is left of a process that died is removed where `clean` says so.
 * @throws what SQLite says where that cannot be told
 */
export function isHeld(path: string, { clean = false } = {}): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const sqlite = requireSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    if (!isFree(database, 0)) return true;
    // While it is ours: whoever holds it by now would lose it.
    if (clean) rmSync(path, { force: true });
    return false;
  } catch (error) {
    // No file of ours. What fails for another reason may well be held.
    if (codeOf(error) === NOT_A_DATABASE) return false;
    throw error;
  } finally {
    database?.close();
  }
}

const BUSY = 5;
const NOT_A_DATABASE = 26;

const codeOf = (error: unknown): number | undefined =>
  (error as { readonly errcode?: number } | undefined)?.errcode;

function isFree(database: DatabaseSync, waitMs: number): boolean {
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}; BEGIN EXCLUSIVE`);
    return true;
  } catch (error) {
    if (codeOf(error) === BUSY) return false;
    throw error;
  }
}
