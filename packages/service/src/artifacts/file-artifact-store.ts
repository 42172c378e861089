import { rename, rm, stat } from "node:fs/promises";

import {
  isTroupeError,
  systemClock,
  type ArtifactMeta,
  type ArtifactStore,
  type FilePage,
  type StoredFile,
} from "@troupe/core";
import type { ArtifactRef, Clock } from "@troupe/stream";

import { artifactFolder, hashOf, type Entry } from "./artifact-folder.ts";
import { readChecked, readRange, writeHashed } from "./blob-files.ts";
import { dropBlob } from "./drop-blob.ts";
import { contentType } from "./http/content-headers.ts";
import { openFolder } from "./open-folder.ts";
import { ENTRY_BYTES, ownerQuota, type Room } from "./owner-quota.ts";
import { pruneFiles, type Pruned, type PruneOptions } from "./prune-files.ts";
import { safeName } from "./safe-name.ts";
import { damaged, putError } from "./store-error.ts";

export interface FileArtifactStoreOptions {
  readonly dir: string;
  /** Where this process serves the files, without a trailing slash; see `artifactHandler`. */
  readonly baseUrl: () => string;
  readonly newId: () => string;
  readonly clock?: Clock;
  /** What stands behind an address so that whoever has it may read the file, such as `exp=1&sig=2`. */
  readonly sign?: (file: { readonly id: string; readonly name: string }) => Promise<string>;
  /** What all files of an owner may have, in bytes, each with 16 KiB for what is kept of it; no limit when absent. */
  readonly ownerBytes?: number;
}

export interface FileArtifactStore extends ArtifactStore {
  /** Removes files by age and size, and what crashes left over. */
  prune(options: PruneOptions): Promise<Pruned>;
  /** Bytes of all files of an owner; the same bytes under two names count twice. */
  usage(owner: string): Promise<number>;
}

/**
 * Files by content under one folder; see `artifactFolder` for what stands where. Written beside and
 * renamed, so a crash or a full disk leaves nothing half-done; several processes may share the folder.
 */
export function fileArtifactStore(options: FileArtifactStoreOptions): FileArtifactStore {
  const { baseUrl, newId, sign, ownerBytes, clock = systemClock } = options;
  const folder = artifactFolder(options.dir);
  const part = (): string => folder.part(newId());
  let opened: Promise<void> | undefined;
  const open = (): Promise<void> =>
    (opened ??= openFolder(folder, { now: clock.now(), part }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));

  const roomFor = ownerQuota({
    maxBytes: ownerBytes ?? Number.POSITIVE_INFINITY,
    async usage(owner) {
      if (ownerBytes === undefined) return 0;
      return (await folder.marks(owner)).reduce((sum, { bytes }) => sum + bytes + ENTRY_BYTES, 0);
    },
  });

  const toRef = async ({ owner: _o, storedAt: _s, ...rest }: Entry): Promise<ArtifactRef> => {
    const query = await sign?.(rest);
    const url = `${baseUrl()}/artifacts/${rest.id}/${encodeURIComponent(rest.name)}`;
    return { ...rest, url: query === undefined ? url : `${url}?${query}` };
  };

  const toFile = async (entry: Entry): Promise<StoredFile | undefined> => {
    const path = folder.blob(entry.sha256);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return undefined;
    return {
      ref: await toRef(entry),
      owner: entry.owner,
      storedAt: entry.storedAt,
      read(range) {
        if (found.size !== entry.bytes) throw damaged(entry.name);
        const whole = range === undefined || (range.start === 0 && range.end >= entry.bytes);
        return whole ? readChecked(path, entry) : readRange(path, range);
      },
    };
  };

  const remove = async (entry: Entry): Promise<void> => {
    await folder.removeEntry(entry);
    await folder.removeRef(entry.sha256, entry.id);
    await dropBlob(folder, entry.sha256);
  };

  const store: FileArtifactStore = {
    async put(bytes, meta, expect = {}) {
      const name = safeName(meta.name);
      const parts = [part(), part()] as const;
      let room: Room | undefined;
      try {
        await open();
        room = await roomFor(meta.owner);
        const { grow } = room;
        const { sha256, size } = await writeHashed(parts[0], bytes, { name, expect, grow });
        const id = artifactId(sha256, name, meta);
        const before = await folder.readEntry(id).catch(() => undefined);
        await folder.addRef(sha256, id);
        await rename(parts[0], folder.blob(sha256));
        const { owner } = meta;
        const mediaType = contentType(meta.mediaType);
        const entry: Entry = { id, name, mediaType, bytes: size, sha256, owner, storedAt: clock.now() };
        await folder.writeEntry(entry, parts[1]);
        if (before !== undefined && before.storedAt !== entry.storedAt) await folder.removeMark(before);
        const ref = await toRef(entry);
        room.end(true);
        return ref;
      } catch (error) {
        room?.end(false);
        for (const left of parts) await rm(left, { force: true }).catch(() => undefined);
        throw putError(error, name);
      }
    },
    async find(id) {
      const entry = await folder.readEntry(id);
      return entry && toFile(entry);
    },
    async get(id, owner) {
      const entry = await folder.readEntry(id);
      return entry?.owner === owner ? toFile(entry) : undefined;
    },
    async list(owner, { limit, after }): Promise<FilePage> {
      await open();
      const marks = await folder.marks(owner);
      const rest = after === undefined ? marks : marks.filter(({ name }) => name < after);
      const files: StoredFile[] = [];
      for (const [at, { id, name, storedAt }] of rest.entries()) {
        const file = await store.get(id, owner).catch(unlessDamaged);
        // A mark too many, of a crash or of a file that was put again.
        if (file?.storedAt !== storedAt) continue;
        files.push(file);
        if (files.length === limit) return { files, next: at + 1 < rest.length ? name : "" };
      }
      return { files, next: "" };
    },
    async delete(id, owner) {
      await open();
      const entry = await folder.readEntry(id);
      if (entry?.owner !== owner) return false;
      await remove(entry);
      return true;
    },
    async usage(owner) {
      await open();
      return (await folder.marks(owner)).reduce((sum, { bytes }) => sum + bytes, 0);
    },
    async prune(what) {
      await open();
      return pruneFiles(folder, { ...what, now: clock.now(), remove });
    },
  };
  return store;
}

/** One that cannot be read is not to hide the others; asked for by itself it says what it is. */
function unlessDamaged(error: unknown): undefined {
  if (!isTroupeError(error) || error.code !== "store.corrupt") throw error;
}

/** The same content under the same name for the same owner is the same artifact. */
function artifactId(sha256: string, name: string, meta: ArtifactMeta): string {
  return hashOf(`${sha256}\0${name}\0${meta.owner}`);
}
