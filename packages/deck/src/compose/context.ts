import type { CitationBook } from "./citation-book.ts";
import type { Content } from "./page.ts";

/** What composing one slide needs to know of the deck so far. */
export interface ComposeContext {
  readonly book: CitationBook;
  /** Whether the content fits on one slide at a readable size, as the layout measures it. */
  readonly fits: (content: Content) => boolean;
  /** Index of the slide in the spec. */
  readonly from: number | undefined;
  /** How many section slides there were up to here. */
  readonly sections: number;
  /** What the deck rests on, for a title slide that says nothing else below its title. */
  readonly basis?: string;
  /** Company that the deck is from, for title slides. */
  readonly company?: string;
  /** Whether a slide of the deck lists the sources; else only the notes have them in full. */
  readonly hasSourcesSlide: boolean;
}
