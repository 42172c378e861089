import { createHash, randomUUID } from "node:crypto";

import type { ArtifactRef } from "@troupe/stream";

import { InputError } from "../errors/input-error.ts";
import type { ArtifactStore, StoredFile } from "../ports/artifact-store.ts";

interface Kept {
  readonly ref: ArtifactRef;
  readonly owner: string;
  readonly order: number;
}

/** Files in memory, for tests. The time a file was stored is its place in the order. */
export function memoryArtifactStore(options: { readonly newId?: () => string } = {}): ArtifactStore {
  const newId = options.newId ?? randomUUID;
  const contents = new Map<string, Uint8Array>();
  const files = new Map<string, Kept>();
  let order = 0;
  const stored = ({ ref, owner, order: storedAt }: Kept): StoredFile => ({
    ref,
    owner,
    storedAt,
    async *read(range) {
      const bytes = contents.get(ref.sha256) ?? new Uint8Array();
      yield bytes.slice(range?.start, range?.end);
    },
  });
  const store: ArtifactStore = {
    async put(source, { name, mediaType, owner }, expect = {}) {
      const bytes = await collect(source, name, expect.maxBytes ?? Number.POSITIVE_INFINITY);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      if (expect.sha256 !== undefined && expect.sha256 !== sha256)
        throw new InputError("input.invalid", `"${name}" is not the file that was announced.`);
      const id = newId();
      const ref: ArtifactRef = { id, name, mediaType, bytes: bytes.length, sha256, url: `memory:${id}` };
      if (!contents.has(sha256)) contents.set(sha256, bytes);
      files.set(id, { ref, owner, order: order++ });
      return ref;
    },
    find(id) {
      const file = files.get(id);
      return Promise.resolve(file && stored(file));
    },
    async get(id, owner) {
      const file = await store.find(id);
      return file?.owner === owner ? file : undefined;
    },
    list(owner, { limit, after }) {
      const mine = [...files.values()]
        .filter((file) => file.owner === owner && (after === undefined || file.order < Number(after)))
        .sort((a, b) => b.order - a.order);
      const page = mine.slice(0, limit);
      const next = mine.length > page.length ? String(page.at(-1)?.order ?? "") : "";
      return Promise.resolve({ files: page.map(stored), next });
    },
    delete(id, owner) {
      const file = files.get(id);
      if (file?.owner !== owner) return Promise.resolve(false);
      files.delete(id);
      const { sha256 } = file.ref;
      if (![...files.values()].some(({ ref }) => ref.sha256 === sha256)) contents.delete(sha256);
      return Promise.resolve(true);
    },
  };
  return store;
}

async function collect(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  name: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source instanceof Uint8Array ? [source.slice()] : source) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new InputError(
        "input.too-large",
        `"${name}" is larger than the ${maxBytes} bytes a file may have.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
