/** A heading that stands as a line of its own in the text of a page. */
export interface Heading {
  /** 1 is the highest. */
  readonly level: number;
  readonly text: string;
  /** UTF-16 offset of the line in the text of its page. */
  readonly start: number;
}

/** What is stored, searched, shown to a model and quoted: one paragraph, heading, item or row a line. */
export interface ParsedPage {
  /** Physical page, counted from 1. */
  readonly number: number;
  /** The number printed on the page, where the document says it and it differs. */
  readonly label?: string;
  readonly text: string;
  readonly headings: readonly Heading[];
  /** Characters that its readers do not see, such as `display: none` or hidden text in Word; they are not in `text`. */
  readonly hidden?: number;
}

/** What a document says about which edition it is. Dates are ISO, as exact as the document is. */
export interface Edition {
  /** `2025`, `2025-03` or `2025-03-01`. */
  readonly published?: string;
  /** Digits and dots: `2`, `2.1`. */
  readonly version?: string;
  /** Titles or file names it says it replaces. */
  readonly supersedes: readonly string[];
  /** It says of itself that it is no longer in force. */
  readonly withdrawn: boolean;
}

export interface ParsedDocument {
  readonly title: string;
  readonly mediaType: string;
  /** Pages are real pages. False where the format has none and everything is one page. */
  readonly paged: boolean;
  readonly pages: readonly ParsedPage[];
  readonly edition: Edition;
}

/** What a parser finds before title and edition are settled. */
export interface RawDocument {
  readonly mediaType: string;
  readonly paged: boolean;
  readonly pages: readonly ParsedPage[];
  /** From the file's own metadata, where it has some. */
  readonly properties: { readonly [name: string]: string };
}

export interface ParseLimits {
  /** Largest file read, in bytes. */
  readonly maxBytes: number;
  readonly maxPages: number;
  /** Bytes a zipped format may unpack to. */
  readonly maxUnpackedBytes: number;
  /** Characters of text kept of one document. */
  readonly maxTextChars: number;
}

export const DEFAULT_PARSE_LIMITS: ParseLimits = {
  maxBytes: 100_000_000,
  maxPages: 5_000,
  maxUnpackedBytes: 200_000_000,
  maxTextChars: 50_000_000,
};
