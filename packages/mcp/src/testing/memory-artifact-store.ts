import { createHash } from "node:crypto";

import type { ArtifactStore } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

/** Files in memory, for tests; `refs` holds what was put, in order. */
export function memoryArtifactStore(): ArtifactStore & { readonly refs: readonly ArtifactRef[] } {
  const files = new Map<string, { ref: ArtifactRef; bytes: Uint8Array }>();
  const refs: ArtifactRef[] = [];
  return {
    refs,
    async put(source, meta) {
      const parts: Uint8Array[] = [];
      if (source instanceof Uint8Array) parts.push(source);
      else for await (const part of source) parts.push(part);
      const bytes = Buffer.concat(parts);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const id = `${sha256.slice(0, 16)}-${meta.owner}`;
      const ref: ArtifactRef = {
        id,
        name: meta.name,
        mediaType: meta.mediaType,
        bytes: bytes.length,
        sha256,
        url: `memory:${id}`,
      };
      files.set(id, { ref, bytes });
      refs.push(ref);
      return ref;
    },
    async get(id, owner) {
      const file = files.get(id);
      if (!file || !id.endsWith(`-${owner}`)) return undefined;
      return {
        ref: file.ref,
        async *read() {
          yield file.bytes;
        },
      };
    },
  };
}
