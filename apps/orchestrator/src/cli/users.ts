import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { randomId, StoreError } from "@troupe/core";

import { holdFile, isHeld } from "../adapters/held-file.ts";

/** Notes of this process, which are no others'. */
const own = new Set<string>();

/**
 * Notes that this process uses the servers of a home, whoever started them, so that a command which
 * ends before it does not stop them. One file a note, held for as long as the process lives.
 * @returns takes the note away again; one that is left by a process that died counts for nothing.
 * Throws a `StoreError` (`store.full`, `store.io`) where none can be made.
 */
export function signIn(home: string): () => void {
  try {
    return note(home);
  } catch (error) {
    throw noteError(usersFolder(home), error);
  }
}

/** SQLite's code of a full disk. */
const FULL = 13;

function noteError(path: string, error: unknown): StoreError {
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: unknown };
  if (code === "ENOSPC" || errcode === FULL)
    return new StoreError("store.full", `The disk of "${path}" is full. Free some space and try again.`, {
      cause: error,
    });
  return new StoreError(
    "store.io",
    `"${path}" cannot be written (${String(message)}). Check its permissions, or set TROUPE_HOME to another folder.`,
    { cause: error },
  );
}

function note(home: string): () => void {
  const folder = usersFolder(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const name = `${process.pid}-${randomId()}.lock`;
    const file = join(folder, name);
    const letGo = holdFile(file);
    // Somebody who took it for a dead one's, before it was held, has removed it.
    if (letGo === undefined || !existsSync(file)) {
      letGo?.();
      continue;
    }
    own.add(name);
    return () => {
      own.delete(name);
      letGo();
    };
  }
}

/** Ids of the processes other than this one that use the servers of a home. */
export function otherUsers(home: string): readonly number[] {
  const folder = usersFolder(home);
  const names = readdirSync(folder).filter((name) => /^\d+-[\w-]+\.lock$/.test(name) && !own.has(name));
  return names
    .filter((name) => isHeld(join(folder, name), { clean: true }))
    .map((name) => Number.parseInt(name, 10));
}

/**
 * Notes that this process is about to stop the servers of a home. Made before looking for users, as
 * a user signs in before looking for this: so one of the two always sees the other.
 * @returns takes the note away again
 */
export function announceStop(home: string): () => void {
  const file = stopping(home);
  const letGo = tryToHold(file);
  // Another stops them already, and its note says the same; or none can be made, and they stop all the same.
  if (letGo === undefined) return () => undefined;
  stops.add(file);
  return () => {
    stops.delete(file);
    letGo();
  };
}

function tryToHold(file: string): (() => void) | undefined {
  try {
    return holdFile(file);
  } catch {
    return undefined;
  }
}

/** Homes whose servers this process is about to stop. */
const stops = new Set<string>();

/** Whether another process, which still runs, is about to stop the servers of a home. */
export function isStopping(home: string): boolean {
  return !stops.has(stopping(home)) && isHeld(stopping(home));
}

const stopping = (home: string): string => join(home, "run", "stopping.lock");

/**
 * Notes that this process starts the servers of a home. Two sets of them would share out the home between
 * them, the orchestrator of one and the agents of the other, and neither be whole.
 * @returns takes the note away again; undefined where another process starts them. Throws a `StoreError`
 * (`store.full`, `store.io`) where none can be made.
 */
export function announceStart(home: string): (() => void) | undefined {
  try {
    mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
    return holdFile(starting(home), { keep: true });
  } catch (error) {
    throw noteError(starting(home), error);
  }
}

/** Whether a process is starting the servers of a home; they answer one by one, and all of them only after it. */
export function isStarting(home: string): boolean {
  return isHeld(starting(home));
}

const starting = (home: string): string => join(home, "run", "starting.lock");

const usersFolder = (home: string): string => join(home, "run", "users");
