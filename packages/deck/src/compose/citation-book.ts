import type { Citation } from "@troupe/stream";

import { cleanLine, cleanText } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";

export interface NumberedCitation {
  readonly n: number;
  readonly citation: Citation;
}

/** Numbers citations by first use; the same place in the same document keeps its number. */
export interface CitationBook {
  mark(citations: readonly Citation[] | undefined): readonly number[];
  get(n: number): Citation | undefined;
  all(): readonly NumberedCitation[];
}

export function createCitationBook(): CitationBook {
  const numbers = new Map<string, number>();
  const list: Citation[] = [];
  return {
    mark(citations = []) {
      const marks = citations.map((citation) => {
        const key = JSON.stringify([citation.collection, citation.chunkId, citation.start, citation.end]);
        const known = numbers.get(key);
        if (known !== undefined) return known;
        list.push(citation);
        numbers.set(key, list.length);
        return list.length;
      });
      return [...new Set(marks)].sort((a, b) => a - b);
    },
    get: (n) => list[n - 1],
    all: () => list.map((citation, i) => ({ n: i + 1, citation })),
  };
}

/** `p. 4`, the nearest heading where the format has no pages, or nothing. */
export function placeOf(citation: Citation): string {
  if (citation.pageLabel !== undefined) return `p. ${cleanLine(citation.pageLabel)}`;
  if (citation.page !== undefined) return `p. ${citation.page}`;
  return citation.section === undefined ? "" : `§ ${tighten(cleanLine(citation.section), 6)}`;
}

/** `[1] AI Strategy 2026, p. 4   [2] p. 9   [3] Board paper, p. 2`: a document is named once. */
export function sourceLineOf(citations: readonly NumberedCitation[], documentWords = 8): string {
  let previous = "";
  return citations
    .map(({ n, citation }) => {
      const place = placeOf(citation);
      const document = tighten(documentName(citation), documentWords);
      const repeated = document === previous && place !== "";
      previous = document;
      return `[${n}] ${[...(repeated ? [] : [document]), ...(place === "" ? [] : [place])].join(", ")}`;
    })
    .join("   ");
}

/** `[1][3] AI Strategy 2026   [2] Board paper`: the documents alone, where pages would be too many words. */
export function documentLineOf(citations: readonly NumberedCitation[], documentWords: number): string {
  const documents = new Map<string, number[]>();
  for (const { n, citation } of citations) {
    const name = tighten(documentName(citation), documentWords);
    documents.set(name, [...(documents.get(name) ?? []), n]);
  }
  return [...documents].map(([name, marks]) => `${rangesOf(marks)} ${name}`).join("   ");
}

/** `[1]–[4]` for a run of numbers, `[1] [3]` otherwise. */
export function rangesOf(marks: readonly number[]): string {
  const out: string[] = [];
  for (let i = 0; i < marks.length; i++) {
    const first = marks[i] ?? 0;
    let last = first;
    while (marks[i + 1] === last + 1) last = marks[++i] ?? last;
    if (last === first) out.push(`[${first}]`);
    else out.push(last === first + 1 ? `[${first}][${last}]` : `[${first}]–[${last}]`);
  }
  return out.join("");
}

/** The source in full for the notes: document, page, heading and the quote itself. */
export function fullSource({ n, citation }: NumberedCitation): string {
  const page =
    citation.page === undefined
      ? ""
      : citation.pageLabel !== undefined && citation.pageLabel !== String(citation.page)
        ? `, p. ${cleanLine(citation.pageLabel)} (page ${citation.page} of the file)`
        : `, p. ${citation.page}`;
  const section = citation.section === undefined ? "" : `, ${cleanLine(citation.section)}`;
  return `[${n}] ${documentName(citation)}${page}${section}: “${cleanText(citation.quote)}”`;
}

export function documentName(citation: Citation): string {
  return cleanLine(citation.document) || cleanLine(citation.source) || "Untitled document";
}
