import type { FoundBy } from "./found-by.ts";

/**
 * A place in a document that a statement rests on. The quote stands at [start, end) of the stored
 * text of that page, so it can be checked without a model.
 */
export interface Citation {
  /** Short and unique within one answer, the number a reader sees in `[1]`. */
  readonly id: string;
  /** Title or file name a person recognises. */
  readonly document: string;
  /** Where the document came from: a path relative to what was ingested, or a URL. */
  readonly source: string;
  /** Physical page, counted from 1. Absent where the format has no pages (Markdown, text). */
  readonly page?: number;
  /** The number printed on that page, where it differs from `page`. */
  readonly pageLabel?: string;
  /** Heading above the passage; if it spans several sections, the first and the last, as `Trains – Hotels`. */
  readonly section?: string;
  readonly collection: string;
  readonly chunkId: string;
  readonly quote: string;
  /** The passage as the model was shown it, which the quote is part of. Absent where it was shown the quote. */
  readonly passage?: string;
  /** Offsets of the quote in UTF-16 units in the stored page text. */
  readonly start: number;
  readonly end: number;
  /** In the answer of a workflow. */
  readonly foundBy?: FoundBy;
}
