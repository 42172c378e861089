import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { readdir, readFile, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

import { parseSuspendedRun, StoreError, type Log, type SuspendedRun, type SuspendedRuns } from "@troupe/core";
import { replaceFile } from "@troupe/core/node";

export interface FileSuspendedRunsOptions {
  /** Folder of this agent's own, made when it is missing. It belongs to one process at a time. */
  readonly dir: string;
  readonly log: Log;
  /** Runs kept, 1,000 by default; above that the oldest is given up. */
  readonly max?: number;
}

/**
 * Runs that wait for a person, one file each, for nobody else to read: they hold what was said. A
 * file is whole or not there, whenever the process ends. One that cannot be read is logged and is
 * as good as gone.
 */
export function fileSuspendedRuns(options: FileSuspendedRunsOptions): SuspendedRuns {
  const { dir, log, max = 1_000 } = options;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    // What a crash left half written was never saved.
    for (const name of readdirSync(dir)) if (name.endsWith(".part")) rmSync(join(dir, name));
  } catch (error) {
    throw storeError(error, dir);
  }
  // Whoever chose a run's id did not choose a path.
  const fileOf = (runId: string): string =>
    join(dir, `${createHash("sha256").update(runId).digest("hex")}.json`);

  /** Empty for a run that was taken up, or given up, meanwhile. */
  const ageOf = async (name: string): Promise<readonly { readonly name: string; readonly at: number }[]> => {
    try {
      return [{ name, at: (await stat(join(dir, name))).mtimeMs }];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  };
  const dropOldest = async (): Promise<void> => {
    const names = (await readdir(dir)).filter((name) => name.endsWith(".json"));
    if (names.length <= max) return;
    const found = await Promise.all(names.map(ageOf));
    const aged = found.flat().sort((a, b) => a.at - b.at);
    for (const { name } of aged.slice(0, Math.max(0, aged.length - max))) {
      log.warn("too many runs wait for a person; the oldest is given up", { max });
      await rm(join(dir, name), { force: true });
    }
  };

  return {
    async save(runId, state) {
      try {
        await replaceFile(fileOf(runId), JSON.stringify({ v: 1, runId, state }));
        await dropOldest();
      } catch (error) {
        throw storeError(error, dir);
      }
    },
    async load(runId) {
      const file = fileOf(runId);
      let text: string;
      try {
        text = await readFile(file, "utf8");
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw storeError(error, dir);
      }
      try {
        return readState(text, runId);
      } catch (error) {
        log.error("a run that waits for a person cannot be read", { runId, file, error });
        return undefined;
      }
    },
    async forget(runId) {
      try {
        // Of two at once the file system tells one that the file was there; `rm` would tell both.
        await unlink(fileOf(runId));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw storeError(error, dir);
      }
    },
  };
}

function readState(text: string, runId: string): SuspendedRun {
  const file: unknown = JSON.parse(text);
  const { v, runId: own, state } = (file ?? {}) as { readonly [key: string]: unknown };
  if (v !== 1 || own !== runId)
    throw new StoreError("store.corrupt", `The file is not the state of run "${runId}" in version 1.`);
  return parseSuspendedRun(state);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function storeError(error: unknown, dir: string): StoreError {
  const { code = "unknown reason" } = error as NodeJS.ErrnoException;
  return new StoreError(
    code === "ENOSPC" ? "store.full" : "store.io",
    `Runs that wait for a person cannot be kept in "${dir}" (${code}). ${code === "ENOSPC" ? "Free some space" : "Check the folder, or set TROUPE_HOME to another one"}.`,
    { cause: error },
  );
}
