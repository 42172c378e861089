import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { StoreError, toErrorInfo, type Fetch } from "@troupe/core";
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

/** Reads which files earlier turns saved; called only if a name is taken. */
export type EarlierFiles = () => Promise<readonly Pick<ArtifactRef, "name" | "sha256">[]>;

/**
 * Fetches the files of a run into a folder and checks each against its hash. An existing file is replaced if it is an
 * unchanged `earlier` one of that name. Any other is never overwritten: the new file gets a number, unless it is the
 * same. Stops at the first that cannot be saved and returns the problem instead of throwing, because the answer is worth
 * showing without its files.
 */
export async function saveFiles(
  artifacts: readonly ArtifactRef[],
  folder: string,
  fetch: Fetch,
  signal: AbortSignal,
  earlier: EarlierFiles = async () => [],
): Promise<SavedFiles> {
  const saved: SavedFile[] = [];
  try {
    for (const artifact of artifacts) {
      const bytes = await download(artifact, fetch, signal);
      saved.push({ ...artifact, path: await write(folder, artifact, bytes, earlier) });
    }
    return { saved };
  } catch (error) {
    return { saved, problem: toErrorInfo(error) };
  }
}

/** @returns the path it has now */
async function write(
  folder: string,
  artifact: Pick<ArtifactRef, "name">,
  bytes: Uint8Array,
  earlier: EarlierFiles,
): Promise<string> {
  const name = safeName(artifact.name);
  let path = join(folder, name);
  let isReserved = true;
  try {
    await mkdir(folder, { recursive: true });
    for (let n = 2; !(await reserve(path)); n++) {
      if ((await hashOf(path, bytes.length)) === digest(bytes)) return path;
      if (n === 2 && (await isEarlier(path, artifact.name, earlier))) {
        isReserved = false;
        break;
      }
      path = join(folder, numbered(name, n));
    }
    await fill(folder, path, bytes, isReserved);
    return path;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const full = code === "ENOSPC" || code === "EDQUOT";
    throw new StoreError(
      full ? "store.full" : "store.io",
      `"${path}" could not be written (${code}). ${full ? "Free some space" : "Choose another folder with --out"}.`,
      { cause: error },
    );
  }
}

/** Takes a name that nothing has, or says that it is taken. */
async function reserve(path: string): Promise<boolean> {
  try {
    await writeFile(path, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The path gets the whole file at once; a reserved name is given back when that fails. What it is written to first is new: nobody can have laid a link there. */
async function fill(folder: string, path: string, bytes: Uint8Array, isReserved: boolean): Promise<void> {
  const part = join(folder, `.${randomUUID()}.part`);
  try {
    await writeFile(part, bytes, { flag: "wx" });
    await rename(part, path);
  } catch (error) {
    await Promise.allSettled([part, ...(isReserved ? [path] : [])].map((file) => rm(file, { force: true })));
    throw error;
  }
}

/** SHA-256 of a plain file, since a pipe would never end, and of that size if one is given; undefined for any other. */
async function hashOf(path: string, size?: number): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || (size !== undefined && found.size !== size)) return undefined;
  const there = await readFile(path).catch(() => undefined);
  return there && digest(there);
}

async function isEarlier(path: string, name: string, earlier: EarlierFiles): Promise<boolean> {
  const hashes = (await earlier()).filter((one) => one.name === name).map(({ sha256 }) => sha256);
  if (hashes.length === 0) return false;
  const there = await hashOf(path);
  return there !== undefined && hashes.includes(there);
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** `deck.pptx` becomes `deck-2.pptx`. */
function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}-${n}${name.slice(dot)}` : `${name}-${n}`;
}
