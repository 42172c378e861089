import type { Citation } from "@troupe/stream";

/** A document as a reference, to say which one replaces another. */
export interface DocumentRef {
  readonly documentId: string;
  readonly title: string;
  readonly source: string;
  /** ISO date, as exact as the document says it. */
  readonly published?: string;
  readonly version?: string;
}

export interface DocumentInfo extends DocumentRef {
  readonly collection: string;
  readonly mediaType: string;
  /** Number of pages; 1 where the format has none. */
  readonly pages: number;
  readonly paged: boolean;
  readonly bytes: number;
  readonly passages: number;
  /** Lower-case hex of the file's content. */
  readonly sha256: string;
  /** Milliseconds since the Unix epoch. */
  readonly ingestedAt: number;
  /** It says of itself that it is no longer in force. */
  readonly withdrawn: boolean;
  readonly newerVersion?: DocumentRef;
}

export interface CollectionInfo {
  readonly name: string;
  readonly documents: number;
  readonly passages: number;
}

export interface SearchOptions {
  /** All collections when absent. */
  readonly collection?: string;
  /** The collections there are for the caller; any other is as if it were not there. */
  readonly among?: readonly string[];
  /** Only these documents, by id; an unknown id is ignored. */
  readonly documents?: readonly string[];
  /** Hits at most, 1 to 50; 8 by default. */
  readonly limit?: number;
  /** Hits to skip, 0 to 450. Pages with the same limit have no gaps or repetitions. */
  readonly offset?: number;
  /** Passages to give before and after each hit, 0 to 3; none by default. */
  readonly neighbours?: number;
}

export interface SearchHit {
  /** The passage's best sentences. The id is the same for the same place, and unique in an index. */
  readonly citation: Citation;
  /** The whole passage: a slice of the stored page text. */
  readonly text: string;
  /** Offset of `text` in the stored page text, in UTF-16 units. */
  readonly start: number;
  /** The headings that hold in the passage, highest first, each from an offset in `text` on. */
  readonly sections: readonly { readonly start: number; readonly path: readonly string[] }[];
  readonly documentId: string;
  /** BM25 with the adjustments for variety; comparable within one result only. */
  readonly score: number;
  /** Share of the query's words that the passage holds, rare words weighing more; 0 to 1. */
  readonly coverage: number;
  readonly published?: string;
  readonly version?: string;
  readonly withdrawn: boolean;
  /** A later edition of the same document that is in the collection too. */
  readonly newerVersion?: DocumentRef;
  /** Other documents in which the same passage stands. */
  readonly alsoIn: readonly DocumentRef[];
  /** The passages of its document around it, in order, where neighbours were asked for. */
  readonly before?: readonly SearchHit[];
  readonly after?: readonly SearchHit[];
}

/** A content word of a query and how rare it is. */
export interface SearchTerm {
  readonly word: string;
  /** Passages that hold it in some form; 0 where none does. */
  readonly passages: number;
}

/** A mistyped word of a query, and the word of the documents it was read as. */
export interface Correction {
  readonly typed: string;
  readonly read: string;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** More passages match; absent when none do. */
  readonly more?: true;
  /** What was looked for. */
  readonly terms: readonly SearchTerm[];
  /** What was looked through. */
  readonly searched: {
    readonly collections: readonly string[];
    readonly documents: number;
    readonly passages: number;
  };
  /** Words of the query that stand in none of these documents. */
  readonly unknownWords: readonly string[];
  /** Words that were searched as others, which are among the terms. */
  readonly corrections: readonly Correction[];
}

export interface PageText {
  readonly document: DocumentRef;
  readonly collection: string;
  readonly page: number;
  readonly pages: number;
  /** Pages are real pages; false where everything is one page. */
  readonly paged: boolean;
  readonly label?: string;
  readonly text: string;
}

/** A heading of a document, and the passages between it and the next heading. */
export interface OutlineHeading {
  readonly text: string;
  /** 1 for the highest. */
  readonly depth: number;
  readonly page: number;
  /** Offset in the text of the page. */
  readonly start: number;
  readonly passages: number;
}

export interface Outline {
  readonly document: DocumentRef;
  readonly collection: string;
  readonly pages: number;
  readonly paged: boolean;
  readonly passages: number;
  /** In order. Passages before the first one are under none. */
  readonly headings: readonly OutlineHeading[];
}

/**
 * Finds passages and says where they stand. Every citation's quote is the slice `[start, end)` of the
 * text that `page` returns for it.
 */
export interface Retriever {
  /** Throws an `InputError` for a collection that is not there (naming those that are) or a limit out of range. */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  collections(): Promise<readonly CollectionInfo[]>;
  /** Throws an `InputError` for a collection that is not there. */
  documents(collection?: string): Promise<readonly DocumentInfo[]>;
  /** Undefined when there is no such document or page. */
  page(documentId: string, page: number): Promise<PageText | undefined>;
  /** Undefined when there is no such document. */
  outline(documentId: string): Promise<Outline | undefined>;
  /**
   * The passages of a document in their order, 400 at most, as hits without a score. Empty when there
   * is no such document.
   */
  passages(documentId: string): Promise<readonly SearchHit[]>;
  /** False when it was not there. */
  deleteDocument(documentId: string): Promise<boolean>;
  close(): Promise<void>;
}
