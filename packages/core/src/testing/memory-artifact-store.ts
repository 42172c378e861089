import { createHash, randomUUID } from "node:crypto";

import type { ArtifactRef } from "@troupe/stream";

import type { ArtifactStore } from "../ports/artifact-store.ts";

/** Files in memory, for tests. */
export function memoryArtifactStore(options: { readonly newId?: () => string } = {}): ArtifactStore {
  const newId = options.newId ?? randomUUID;
  const contents = new Map<string, Uint8Array>();
  const files = new Map<string, { readonly ref: ArtifactRef; readonly owner: string }>();
  return {
    async put(source, { name, mediaType, owner }) {
      const bytes = await collect(source);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const id = newId();
      const ref: ArtifactRef = { id, name, mediaType, bytes: bytes.length, sha256, url: `memory:${id}` };
      if (!contents.has(sha256)) contents.set(sha256, bytes);
      files.set(id, { ref, owner });
      return ref;
    },
    get(id, owner) {
      const file = files.get(id);
      const bytes = file === undefined ? undefined : contents.get(file.ref.sha256);
      if (file === undefined || bytes === undefined || file.owner !== owner)
        return Promise.resolve(undefined);
      return Promise.resolve({
        ref: file.ref,
        async *read() {
          yield bytes.slice();
        },
      });
    },
  };
}

async function collect(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source.slice();
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
