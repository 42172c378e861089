import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { artifactRefSchema, StoreError, type ArtifactMeta, type ArtifactStore } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

export interface FileArtifactStoreOptions {
  readonly dir: string;
  /** Where this process serves the files, without a trailing slash; see `artifactHandler`. */
  readonly baseUrl: () => string;
  readonly newId: () => string;
}

/**
 * Files by content under one folder: `<sha256>` holds the bytes, `<id>.json` who may read them and
 * under which name. Written beside and renamed, so a crash or a full disk leaves nothing half-done;
 * several processes may share the folder.
 */
export function fileArtifactStore(options: FileArtifactStoreOptions): ArtifactStore {
  const { dir } = options;
  return {
    async put(bytes, meta) {
      const name = safeName(meta.name);
      const temporary = join(dir, `.${options.newId()}.part`);
      const entry = join(dir, `.${options.newId()}.part`);
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        const { sha256, size } = await writeHashed(temporary, bytes);
        await rename(temporary, join(dir, sha256));
        const id = artifactId(sha256, name, meta);
        const stored: StoredArtifact = {
          id,
          name,
          mediaType: meta.mediaType,
          bytes: size,
          sha256,
          owner: meta.owner,
        };
        await writeFile(entry, JSON.stringify(stored), { mode: 0o600 });
        await rename(entry, join(dir, `${id}.json`));
        return toRef(stored, options.baseUrl());
      } catch (error) {
        for (const part of [temporary, entry]) await rm(part, { force: true }).catch(() => undefined);
        throw storeError(error, name);
      }
    },
    async get(id, owner) {
      const stored = await readEntry(dir, id);
      if (!stored || stored.owner !== owner) return undefined;
      const file = join(dir, stored.sha256);
      const found = await stat(file).catch(() => undefined);
      if (!found) return undefined;
      return {
        ref: toRef(stored, options.baseUrl()),
        read: () => createReadStream(file) as AsyncIterable<Uint8Array>,
      };
    },
  };
}

interface StoredArtifact extends Omit<ArtifactRef, "url"> {
  readonly owner: string;
}

function toRef({ owner: _, ...rest }: StoredArtifact, baseUrl: string): ArtifactRef {
  return { ...rest, url: `${baseUrl}/artifacts/${rest.id}/${encodeURIComponent(rest.name)}` };
}

/** The same content under the same name for the same owner is the same artifact. */
function artifactId(sha256: string, name: string, meta: ArtifactMeta): string {
  return createHash("sha256").update(`${sha256}\0${name}\0${meta.owner}`).digest("hex").slice(0, 32);
}

async function readEntry(dir: string, id: string): Promise<StoredArtifact | undefined> {
  if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
  const text = await readFile(join(dir, `${id}.json`), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const raw = JSON.parse(text) as StoredArtifact;
  const checked = artifactRefSchema.safeParse({ ...raw, url: "" });
  return checked.success ? raw : undefined;
}

async function writeHashed(
  path: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<{ readonly sha256: string; readonly size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  const source = bytes instanceof Uint8Array ? [bytes] : bytes;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(path, { flush: true, mode: 0o600 }));
  return { sha256: hash.digest("hex"), size };
}

/** A file name that is nothing but a file name on any system. */
export function safeName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const clean = Array.from(base)
    .map((c) => (c < " " || c === "\u007f" || '<>:"|?*'.includes(c) ? "_" : c))
    .join("")
    .replace(/^\.+/, "")
    .trim()
    .slice(0, 200)
    // Half a character has no place in an address.
    .toWellFormed();
  return clean === "" ? "file" : clean;
}

/** What a client may see: the folder stands in the cause, for the log. */
function storeError(error: unknown, name: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new StoreError(
      "store.full",
      `"${name}" could not be saved: the disk is full. Free some space and run again.`,
      {
        cause: error,
        retryable: true,
      },
    );
  }
  return new StoreError(
    "store.io",
    `"${name}" could not be saved${code === undefined ? "" : ` (${code})`}.`,
    {
      cause: error,
    },
  );
}
