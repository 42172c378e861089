import type { ArtifactRef } from "@troupe/stream";

export interface ArtifactMeta {
  /** File name with extension, no path. */
  readonly name: string;
  readonly mediaType: string;
  /** Whose it is; only the owner reads it back. Empty on a machine without users. */
  readonly owner: string;
}

/** Files by content. Putting the same bytes twice stores them once. */
export interface ArtifactStore {
  /** Throws a `StoreError` (`store.full`, `store.io`); a failed put leaves nothing behind. */
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>, meta: ArtifactMeta): Promise<ArtifactRef>;
  /** Undefined when it is not there or not this owner's. */
  get(
    id: string,
    owner: string,
  ): Promise<{ readonly ref: ArtifactRef; read(): AsyncIterable<Uint8Array> } | undefined>;
}
