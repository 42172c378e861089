import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { AgentError, StoreError } from "@troupe/core";
import { safeName } from "@troupe/service";
import type { ArtifactRef } from "@troupe/stream";

import { download } from "../adapters/download.ts";

export interface SavedFile extends ArtifactRef {
  /** Absolute. */
  readonly path: string;
}

/**
 * Fetches the files of a run into a folder and checks each against its hash. Two files of one name
 * are told apart by a number.
 */
export async function saveFiles(
  artifacts: readonly ArtifactRef[],
  folder: string,
  signal: AbortSignal,
): Promise<readonly SavedFile[]> {
  if (artifacts.length === 0) return [];
  const saved: SavedFile[] = [];
  const used = new Set<string>();
  for (const artifact of artifacts) {
    const bytes = await download(artifact.url, signal);
    if (createHash("sha256").update(bytes).digest("hex") !== artifact.sha256) {
      throw new AgentError(
        "agent.protocol",
        `"${artifact.name}" from ${artifact.url} is not the file that was announced.`,
      );
    }
    const path = join(folder, freeName(safeName(artifact.name), used));
    await write(path, folder, bytes);
    saved.push({ ...artifact, path });
  }
  return saved;
}

async function write(path: string, folder: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.part`, bytes);
    await rename(`${path}.part`, path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const full = code === "ENOSPC" || code === "EDQUOT";
    throw new StoreError(
      full ? "store.full" : "store.io",
      `"${path}" could not be written (${code}). ${full ? "Free some space" : "Choose another folder with --out"}; the run itself is kept.`,
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
