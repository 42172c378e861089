import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { DuckDBInstance } from "@duckdb/node-api";
import { StoreError } from "@troupe/core";

import { newShortId } from "../adapters/new-id.ts";

/** Ingests of this process, by folder: they wait for one another. */
const waiting = new Map<string, Promise<unknown>>();

/**
 * Runs `work` with the folder to itself. Between processes the lock is the engine's on a file of its
 * own, which the system takes back when its holder dies; a second process gets `store.locked`.
 */
export async function withIngestLock<T>(
  folder: string,
  collection: string,
  work: () => Promise<T>,
): Promise<T> {
  const turn = (waiting.get(folder) ?? Promise.resolve()).then(async () => {
    const lock = await openLock(join(folder, "ingest-lock.duckdb")).catch((cause: unknown) => {
      throw lockError(folder, collection, cause);
    });
    try {
      return await work();
    } finally {
      lock.closeSync();
    }
  });
  const settled = turn.catch(() => undefined);
  waiting.set(folder, settled);
  try {
    return await turn;
  } finally {
    if (waiting.get(folder) === settled) waiting.delete(folder);
  }
}

/** Three headers of 4 KiB; the engine refuses to open a shorter file. */
const EMPTY_DATABASE_BYTES = 12_288;

/**
 * Opens the lock file, completing one that a full disk or a crash left empty or cut off. It is
 * completed in place: a process that opens it at the same time then locks the same file, and
 * not one that has been replaced.
 */
async function openLock(path: string): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(path);
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    if (isLocked(error) || found?.isFile() !== true || found.size >= EMPTY_DATABASE_BYTES) throw error;
    const fresh = `${path}.${newShortId()}.part`;
    try {
      (await DuckDBInstance.create(fresh)).closeSync();
      await writeFile(path, await readFile(fresh), { flag: "r+" });
    } finally {
      await rm(fresh, { force: true });
    }
    return DuckDBInstance.create(path);
  }
}

const isLocked = (error: unknown): boolean =>
  /set lock|conflicting lock|used by another process|unique file handle/i.test(String(error));

/** The engine tells the reasons apart by its text alone. */
function lockError(folder: string, collection: string, cause: unknown): StoreError {
  const text = String(cause);
  if (/no space left|disk quota exceeded/i.test(text))
    return new StoreError("store.full", `The disk of "${folder}" is full; free some space and try again.`, {
      cause,
    });
  if (isLocked(cause))
    return new StoreError(
      "store.locked",
      `Another process is ingesting into "${collection}"; try again when it is done.`,
      { retryable: true, cause },
    );
  return new StoreError(
    "store.io",
    `"${join(folder, "ingest-lock.duckdb")}" cannot be written. Check its permissions and those of its folder.`,
    { cause },
  );
}
