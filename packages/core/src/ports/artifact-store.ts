import type { ArtifactRef } from "@troupe/stream";

export interface ArtifactMeta {
  /** File name with extension, no path. */
  readonly name: string;
  readonly mediaType: string;
  /** Whose it is; only the owner reads it back. Empty on a machine without users. */
  readonly owner: string;
}

/** What the bytes have to keep to, or they are not stored. */
export interface ArtifactExpectation {
  /** Lower-case hex, as whoever sends them announced. */
  readonly sha256?: string;
  /** More than that is not read. */
  readonly maxBytes?: number;
}

/** Bytes from `start` up to, and without, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file as it is kept. */
export interface StoredFile {
  readonly ref: ArtifactRef;
  readonly owner: string;
  /** When it was put last, in milliseconds since the epoch. */
  readonly storedAt: number;
  /**
   * Its bytes, at the reader's pace. What was damaged is an error (`store.corrupt`): read whole it
   * comes before the last bytes, so that nobody takes it for the file; of a part the size alone is checked.
   */
  read(range?: ByteRange): AsyncIterable<Uint8Array>;
}

export interface FilePage {
  /** Newest first. */
  readonly files: readonly StoredFile[];
  /** Empty on the last page. */
  readonly next: string;
}

/**
 * Files by content. Putting the same bytes twice stores them once, and nobody can tell from an answer
 * whether somebody else has put them before. Nothing here is of a file system: an object store fits.
 */
export interface ArtifactStore {
  /**
   * Throws a `StoreError` (`store.full`, `store.io`), and an `InputError` where the bytes are too many
   * (`input.too-large`) or not those expected (`input.invalid`). A failed put leaves nothing behind.
   */
  put(
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    meta: ArtifactMeta,
    expect?: ArtifactExpectation,
  ): Promise<ArtifactRef>;
  /** Undefined when it is not there or not this owner's. */
  get(id: string, owner: string): Promise<StoredFile | undefined>;
  /** Whoever it belongs to: for those who have seen to it that the asker may have it, as by a signed link. */
  find(id: string): Promise<StoredFile | undefined>;
  /** `after` is `next` of the page before; a `limit` of 1 to 100. */
  list(owner: string, page: { readonly limit: number; readonly after?: string }): Promise<FilePage>;
  /** Whether it was there. The bytes go when nobody else has them. */
  delete(id: string, owner: string): Promise<boolean>;
}
