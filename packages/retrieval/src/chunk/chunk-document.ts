import { createHash } from "node:crypto";

import type { ParsedPage } from "../parse/parsed-document.ts";
import { chunkText, DEFAULT_CHUNK_OPTIONS, type ChunkOptions } from "./chunk-text.ts";
import { sectionAt, trackSections, type SectionMark } from "./sections.ts";

export interface Chunk {
  readonly id: string;
  readonly page: number;
  /** Offsets in the text of the page: the chunk's text is exactly that slice. */
  readonly start: number;
  readonly end: number;
  readonly section: readonly string[];
}

export interface ChunkedPage {
  readonly page: ParsedPage;
  readonly sections: readonly SectionMark[];
  readonly chunks: readonly Chunk[];
}

/** Chunks of a document, page by page: a chunk lies on one page, so a citation has one page. */
export function chunkDocument(
  documentId: string,
  pages: readonly ParsedPage[],
  options: ChunkOptions = DEFAULT_CHUNK_OPTIONS,
): readonly ChunkedPage[] {
  const sections = trackSections(pages);
  return pages.map((page, at) => {
    const marks = sections[at] ?? [];
    const spans = chunkText(
      page.text,
      options,
      page.headings.map((heading) => heading.start),
    );
    return {
      page,
      sections: marks,
      chunks: spans.map((span) => ({
        id: shortHash(documentId, String(page.number), String(span.start), String(span.end)),
        page: page.number,
        ...span,
        section: sectionAt(marks, Math.floor((span.start + span.end) / 2)),
      })),
    };
  });
}

/** The same for the same collection and source, so that a document keeps its id when it changes. */
export function documentIdOf(collection: string, source: string): string {
  return shortHash(collection, source);
}

/** 64 bits as hex: enough for ids within one index. */
export function shortHash(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\u0000")).digest("hex").slice(0, 16);
}
