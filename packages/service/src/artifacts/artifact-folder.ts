import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { artifactRefSchema } from "@troupe/core";
import { replaceFile } from "@troupe/core/node";
import type { ArtifactRef } from "@troupe/stream";

import { codeOf, damaged } from "./store-error.ts";

/** What is kept about a file, as `<id>.json`. Entries without `storedAt` are of the first form. */
export interface Entry extends Omit<ArtifactRef, "url"> {
  readonly owner: string;
  readonly storedAt: number;
}

const ID = /^[0-9a-f]{32}$/;
/** Of a mark: when, how large, and which. Sorted by name they stand in time. */
const MARK = /^(\d{15})-(\d+)-([0-9a-f]{32})$/;

/** To enter a folder that others remove. */
const TRIES = 50;

export interface Mark {
  readonly name: string;
  readonly storedAt: number;
  readonly bytes: number;
  readonly id: string;
}

/**
 * The folder of an artifact store, and nothing about what it means:
 *
 * - `<sha256>`: bytes, written beside and renamed
 * - `<id>.json`: an entry, likewise; the file is there from this rename on
 * - `refs/<sha256>/<id>`: which entries have these bytes, empty
 * - `owners/<hash>/<time>-<bytes>-<id>`: which are an owner's, empty
 * - `.*.part`, `.<sha256>.aside`: being written or removed, or left over from a process that was killed
 *
 * Marks are made before the entry and removed after it, so what a crash leaves is a mark too many.
 */
export const artifactFolder = (dir: string) => {
  const blob = (sha256: string): string => join(dir, sha256);
  const entry = (id: string): string => join(dir, `${id}.json`);
  const refs = (sha256: string): string => join(dir, "refs", sha256);
  const owned = (owner: string): string => join(dir, "owners", hashOf(owner));
  const markOf = ({ storedAt, bytes, id }: Entry): string =>
    `${String(Math.max(0, storedAt)).padStart(15, "0")}-${bytes}-${id}`;

  const touch = async (folder: string, name: string): Promise<void> => {
    // Whoever deletes the last other mark of a folder deletes the folder, at any moment; so once more.
    for (let again = 0; ; again++) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(join(folder, name), "", { mode: 0o600 });
        return;
      } catch (error) {
        if (codeOf(error) !== "ENOENT" || again === TRIES) throw error;
      }
    }
  };

  return {
    dir,
    blob,
    aside: (sha256: string): string => join(dir, `.${sha256}.aside`),
    part: (name: string): string => join(dir, `.${name}.part`),

    async readEntry(id: string): Promise<Entry | undefined> {
      if (!ID.test(id)) return undefined;
      let text: string;
      try {
        text = await readFile(entry(id), "utf8");
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
      }
      const read = parseEntry(text);
      if (read === undefined) throw damaged(id);
      return read.storedAt === undefined
        ? { ...read, storedAt: Math.trunc((await stat(entry(id))).mtimeMs) }
        : { ...read, storedAt: read.storedAt };
    },

    /** `part` is where it is written first. */
    async writeEntry(written: Entry, part: string): Promise<void> {
      await touch(owned(written.owner), markOf(written));
      await replaceFile(entry(written.id), JSON.stringify(written), { part });
    },

    async removeEntry(removed: Entry): Promise<void> {
      await rm(entry(removed.id), { force: true });
      await rm(join(owned(removed.owner), markOf(removed)), { force: true });
    },

    removeMark: (of: Entry): Promise<void> => rm(join(owned(of.owner), markOf(of)), { force: true }),
    addRef: (sha256: string, id: string): Promise<void> => touch(refs(sha256), id),
    removeRef: (sha256: string, id: string): Promise<void> => rm(join(refs(sha256), id), { force: true }),
    refsOf: (sha256: string): Promise<readonly string[]> => namesIn(refs(sha256)),
    refs,

    /** Of an owner's files, newest first. */
    async marks(owner: string): Promise<readonly Mark[]> {
      return (await namesIn(owned(owner))).flatMap(readMark).toSorted((a, b) => (a.name < b.name ? 1 : -1));
    },

    names: (): Promise<readonly string[]> => namesIn(dir),
    async ids(): Promise<readonly string[]> {
      const names = await namesIn(dir);
      return names.flatMap((name) => (/^[0-9a-f]{32}\.json$/.test(name) ? [name.slice(0, 32)] : []));
    },
  };
};

export type ArtifactFolder = ReturnType<typeof artifactFolder>;

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

export function readMark(name: string): readonly Mark[] {
  const [, storedAt, bytes, id] = MARK.exec(name) ?? [];
  return id === undefined ? [] : [{ name, storedAt: Number(storedAt), bytes: Number(bytes), id }];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function parseEntry(text: string): (Omit<Entry, "storedAt"> & { storedAt?: number }) | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof raw !== "object" || raw === null || !("owner" in raw) || typeof raw.owner !== "string")
    return undefined;
  const checked = artifactRefSchema.safeParse({ ...raw, url: "" });
  if (!checked.success) return undefined;
  const { url: _, ...ref } = checked.data;
  const storedAt = "storedAt" in raw && typeof raw.storedAt === "number" ? raw.storedAt : undefined;
  return { ...ref, owner: raw.owner, ...(storedAt === undefined ? {} : { storedAt }) };
}
