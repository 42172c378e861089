import type { Citation } from "@troupe/stream";

/** A sentence of a document, word for word, with the place where it stands. */
export interface Statement {
  readonly text: string;
  /** The heading above or before it, where that is a message by itself: "Warnings come 60 hours ahead". */
  readonly lead?: string;
  readonly citation: Citation;
}
