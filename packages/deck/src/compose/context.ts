import type { CitationBook } from "./citation-book.ts";

/** What composing one slide needs to know of the deck so far. */
export interface ComposeContext {
  readonly book: CitationBook;
  /** Index of the slide in the spec. */
  readonly from: number | undefined;
  /** How many section slides there were up to here. */
  readonly sections: number;
  /** What the deck rests on, for a title slide that says nothing else below its title. */
  readonly basis?: string;
}
