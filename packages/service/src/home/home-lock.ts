import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { StoreError } from "@troupe/core";

/** Who owns a home folder, written to `run/owner.json` for others to find. */
export interface HomeOwner {
  readonly pid: number;
  /** Base address of the orchestrator, once it listens. */
  readonly url?: string;
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
}

export interface HomeLock {
  /** Publishes where the owner can be reached. */
  announce(owner: HomeOwner): void;
  release(): void;
}

/**
 * Makes this process the one owner of a home folder. The lock is a SQLite file lock: the system
 * drops it when the process dies, however it dies, so a stale owner never blocks anybody.
 * Throws a `StoreError` (`store.locked`) that names the owner.
 */
export function lockHome(home: string): HomeLock {
  const run = join(home, "run");
  mkdirSync(run, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(run, "owner.lock"));
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    const owner = readOwner(home);
    const who =
      owner === undefined
        ? "another process"
        : `process ${owner.pid}${owner.url === undefined ? "" : ` at ${owner.url}`}`;
    throw new StoreError(
      "store.locked",
      `"${home}" is in use by ${who}. Stop it first, or set TROUPE_HOME to another folder.`,
      {
        cause: error,
      },
    );
  }
  const file = join(run, "owner.json");
  return {
    announce(owner) {
      writeFileSync(`${file}.part`, JSON.stringify(owner), { mode: 0o600 });
      renameSync(`${file}.part`, file);
    },
    release() {
      rmSync(file, { force: true });
      database.close();
    },
  };
}

/** The owner on record, alive or not; ask its `url` before relying on it. */
export function readOwner(home: string): HomeOwner | undefined {
  try {
    return JSON.parse(readFileSync(join(home, "run", "owner.json"), "utf8")) as HomeOwner;
  } catch {
    return undefined;
  }
}
