import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { readMark, type ArtifactFolder, type Entry } from "./artifact-folder.ts";
import { dropBlob } from "./drop-blob.ts";

export interface PruneOptions {
  /** Files that were put longer ago. */
  readonly olderThanMs?: number;
  /** Bytes that may be left; the oldest go first. */
  readonly maxBytes?: number;
  /** Only tells what would go. */
  readonly dryRun?: boolean;
}

export interface Pruned {
  readonly removed: readonly Entry[];
  readonly kept: number;
  /** Of the bytes that are left; the same bytes count once. */
  readonly bytes: number;
}

/** A put makes its marks before the entry; what is younger may be one. */
const UNDERWAY_MS = 60 * 60_000;

/**
 * What goes is for a person to say: which tasks still name a file stands in the stores of several
 * processes, and of people's clients, so that nobody here can know.
 */
export async function pruneFiles(
  folder: ArtifactFolder,
  options: PruneOptions & {
    readonly now: number;
    readonly remove: (entry: Entry) => Promise<void>;
  },
): Promise<Pruned> {
  const { now, remove, olderThanMs, maxBytes, dryRun = false } = options;
  const entries: Entry[] = [];
  for (const id of await folder.ids()) {
    const entry = await folder.readEntry(id).catch(() => undefined);
    if (entry !== undefined) entries.push(entry);
  }
  entries.sort((a, b) => a.storedAt - b.storedAt);
  const users = new Map<string, number>();
  let bytes = 0;
  for (const { sha256, bytes: size } of entries) {
    const count = users.get(sha256) ?? 0;
    users.set(sha256, count + 1);
    if (count === 0) bytes += size;
  }
  const removed: Entry[] = [];
  for (const entry of entries) {
    const old = olderThanMs !== undefined && now - entry.storedAt > olderThanMs;
    if (!old && (maxBytes === undefined || bytes <= maxBytes)) continue;
    const left = (users.get(entry.sha256) ?? 1) - 1;
    users.set(entry.sha256, left);
    if (left === 0) bytes -= entry.bytes;
    if (!dryRun) await remove(entry);
    removed.push(entry);
  }
  if (!dryRun) await sweep(folder, now);
  return { removed, kept: entries.length - removed.length, bytes };
}

/** Marks whose entry never came, and bytes that no entry has: a process was killed in between. */
async function sweep(folder: ArtifactFolder, now: number): Promise<void> {
  const old = async (path: string): Promise<boolean> => {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && now - found.mtimeMs > UNDERWAY_MS;
  };
  for (const name of await folder.names()) {
    if (!/^[0-9a-f]{64}$/.test(name)) continue;
    for (const id of await folder.refsOf(name)) {
      if ((await folder.readEntry(id).catch(() => "there")) !== undefined) continue;
      if (await old(join(folder.refs(name), id))) await folder.removeRef(name, id);
    }
    const used = (await folder.refsOf(name)).length > 0;
    if (!used && (await old(folder.blob(name)))) await dropBlob(folder, name);
  }
  const owners = join(folder.dir, "owners");
  for (const owner of await readdir(owners).catch(() => [])) {
    for (const mark of await readdir(join(owners, owner)).catch(() => [])) {
      const [read] = readMark(mark);
      const entry = read && (await folder.readEntry(read.id).catch(() => undefined));
      const path = join(owners, owner, mark);
      const stands = read !== undefined && entry?.storedAt === read.storedAt;
      if (!stands && (await old(path))) await rm(path, { force: true });
    }
  }
}
