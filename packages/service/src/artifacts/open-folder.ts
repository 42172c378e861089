import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { replaceFile } from "@troupe/core/node";

import type { ArtifactFolder } from "./artifact-folder.ts";
import { settleAside } from "./drop-blob.ts";

/**
 * What a process was writing when it was killed. Any process may have the folder open, so only age tells:
 * a writer that lives touches its file far more often, and one that stalled for as long fails at its rename.
 */
const LEFT_OVER_MS = 60 * 60_000;
const FORMAT = "format.json";

/** Sweeps what killed processes left, and gives a folder of the first form the marks it has none of. */
export async function openFolder(
  folder: ArtifactFolder,
  { now, part }: { readonly now: number; readonly part: () => string },
): Promise<void> {
  await mkdir(folder.dir, { recursive: true, mode: 0o700 });
  for (const name of await folder.names()) {
    const aside = /^\.([0-9a-f]{64})\.aside$/.exec(name)?.[1];
    if (aside !== undefined) await settleAside(folder, aside);
    if (!/^\..*\.part$/.test(name)) continue;
    const path = join(folder.dir, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
  const format = await readFile(join(folder.dir, FORMAT), "utf8").catch(() => undefined);
  if (format !== undefined) return;
  const ids = await folder.ids();
  for (const id of ids) {
    // One that cannot be read is left for whoever asks for it.
    const entry = await folder.readEntry(id).catch(() => undefined);
    if (entry === undefined) continue;
    await folder.addRef(entry.sha256, id);
    await folder.writeEntry(entry, part());
  }
  await replaceFile(join(folder.dir, FORMAT), JSON.stringify({ v: 2 }), { part: part() });
}
