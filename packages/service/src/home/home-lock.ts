import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@troupe/core";
import { requireSqlite } from "@troupe/core/sqlite";

import { makeHome } from "./make-home.ts";
import { replacePrivate } from "./private-file.ts";

/** Who owns a home folder, written to `run/owner.json` for others to find. */
export interface HomeOwner {
  readonly pid: number;
  /** Base address of the orchestrator, once it listens. */
  readonly url?: string;
  /** Base address that its card and its files name, where that is another one, such as that of a proxy. */
  readonly publicUrl?: string;
  /** What `/livez` at that address answers as `instance`; another server there says something else. */
  readonly instance?: string;
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
}

export interface HomeLock {
  /** Publishes where the owner can be reached. */
  announce(owner: HomeOwner): void;
  release(): void;
}

/**
 * How long to wait for the lock, in milliseconds. Two processes that start at the same moment each see the other's
 * first, shared lock; without waiting, both would be refused.
 */
const BUSY_TIMEOUT_MS = 250;

/** Held on to: collecting a database that nobody refers to closes it, and with it goes the lock. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the one owner of a home folder. The lock is a SQLite file lock: the system
 * drops it when the process dies, however it dies, so a stale owner never blocks anybody.
 * Throws a `StoreError`: `store.locked` names the owner, `store.full` and `store.io` what is wrong with the folder.
 */
export function lockHome(home: string): HomeLock {
  const run = join(home, "run");
  makeHome(run);
  const sqlite = requireSqlite();
  const database = new sqlite.DatabaseSync(join(run, "owner.lock"));
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; BEGIN EXCLUSIVE`);
  } catch (error) {
    database.close();
    throw lockError(error, home);
  }
  held.add(database);
  const file = join(run, "owner.json");
  return {
    announce: (owner) => replacePrivate(file, JSON.stringify(owner)),
    release() {
      try {
        rmSync(file, { force: true });
      } catch {
        // A record that stays says nothing: nobody answers at its address any more.
      }
      held.delete(database);
      database.close();
    },
  };
}

/**
 * A home folder that several processes serve at the same time, whose runs are journaled elsewhere: no lock,
 * and the one that announced itself last is the one that commands find.
 */
export function shareHome(home: string): HomeLock {
  const run = join(home, "run");
  makeHome(run);
  const file = join(run, "owner.json");
  let own: HomeOwner | undefined;
  return {
    announce(owner) {
      own = owner;
      replacePrivate(file, JSON.stringify(owner));
    },
    release() {
      if (own !== undefined && readOwner(home)?.instance === own.instance) rmSync(file, { force: true });
    },
  };
}

/** Primary result codes of SQLite. */
const BUSY = 5;
const FULL = 13;

function lockError(error: unknown, home: string): StoreError {
  const { errcode, message } = error as { readonly errcode?: number; readonly message?: string };
  if (errcode === FULL)
    return new StoreError("store.full", `The disk of "${home}" is full. Free some space and try again.`, {
      cause: error,
    });
  if (errcode !== BUSY)
    return new StoreError(
      "store.io",
      `"${join(home, "run", "owner.lock")}" cannot be used (${message ?? "unknown reason"}). Delete it, or set TROUPE_HOME to another folder.`,
      { cause: error },
    );
  const owner = readOwner(home);
  const who =
    owner === undefined
      ? "another process"
      : `process ${owner.pid}${owner.url === undefined ? "" : ` at ${owner.url}`}`;
  return new StoreError(
    "store.locked",
    `"${home}" is in use by ${who}. Stop it first, or set TROUPE_HOME to another folder.`,
    { cause: error },
  );
}

/** The owner on record, alive or not; ask its `url` before relying on it. Undefined where none can be read. */
export function readOwner(home: string): HomeOwner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(home, "run", "owner.json"), "utf8"));
    return isOwner(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is HomeOwner {
  if (typeof value !== "object" || value === null) return false;
  const { pid, url, publicUrl, instance, since } = value as { readonly [key in keyof HomeOwner]: unknown };
  const isText = (text: unknown): boolean => text === undefined || typeof text === "string";
  return (
    typeof pid === "number" &&
    typeof since === "number" &&
    isText(url) &&
    isText(publicUrl) &&
    isText(instance)
  );
}
