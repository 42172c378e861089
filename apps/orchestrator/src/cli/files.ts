import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { StoreError, toErrorInfo } from "@troupe/core";
import { safeName } from "@troupe/service";
import type { ArtifactRef, ErrorInfo } from "@troupe/stream";

import { download } from "../adapters/download.ts";

export interface SavedFile extends ArtifactRef {
  /** Absolute. */
  readonly path: string;
}

export interface SavedFiles {
  readonly saved: readonly SavedFile[];
  /** Why the others are missing. */
  readonly problem?: ErrorInfo;
}

/**
 * Fetches the files of a run into a folder and checks each against its hash. Two files of one name
 * are told apart by a number. The first that cannot be saved ends it; it is never an error, because
 * the answer is worth showing without its files.
 */
export async function saveFiles(
  artifacts: readonly ArtifactRef[],
  folder: string,
  signal: AbortSignal,
): Promise<SavedFiles> {
  const saved: SavedFile[] = [];
  const used = new Set<string>();
  try {
    for (const artifact of artifacts) {
      const path = join(folder, freeName(safeName(artifact.name), used));
      await write(path, folder, await download(artifact, signal));
      saved.push({ ...artifact, path });
    }
    return { saved };
  } catch (error) {
    return { saved, problem: toErrorInfo(error) };
  }
}

async function write(path: string, folder: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(part, bytes);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const full = code === "ENOSPC" || code === "EDQUOT";
    throw new StoreError(
      full ? "store.full" : "store.io",
      `"${path}" could not be written (${code}). ${full ? "Free some space" : "Choose another folder with --out"}.`,
      { cause: error },
    );
  }
}

function freeName(name: string, used: Set<string>): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let free = name;
  for (let n = 2; used.has(free.toLowerCase()); n++) free = `${stem} (${n})${extension}`;
  used.add(free.toLowerCase());
  return free;
}
