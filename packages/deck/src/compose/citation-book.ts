import type { Citation } from "@troupe/stream";

import { cleanLine, cleanText } from "../text/clean.ts";

export interface NumberedCitation {
  readonly n: number;
  readonly citation: Citation;
}

/**
 * Numbers places by first use. A place is a page of a document, or a section where there are no
 * pages: what a reader turns to. Several quotes from one place share its number.
 */
export interface CitationBook {
  mark(citations: readonly Citation[] | undefined): readonly number[];
  /** Every different quote from a place, in order of first use. */
  get(n: number): readonly NumberedCitation[];
  /** One entry a place. */
  all(): readonly NumberedCitation[];
}

export function createCitationBook(): CitationBook {
  const numbers = new Map<string, number>();
  const places: Citation[][] = [];
  return {
    mark(citations = []) {
      const marks = citations.map((citation) => {
        const { collection, source, page, section } = citation;
        const key = JSON.stringify([collection, source, page ?? section ?? ""]);
        const n = numbers.get(key) ?? places.length + 1;
        numbers.set(key, n);
        const quotes = (places[n - 1] ??= []);
        if (!quotes.some((other) => other.quote === citation.quote)) quotes.push(citation);
        return n;
      });
      return [...new Set(marks)].sort((a, b) => a - b);
    },
    get: (n) => (places[n - 1] ?? []).map((citation) => ({ n, citation })),
    all: () => places.flatMap(([citation], i) => (citation === undefined ? [] : [{ n: i + 1, citation }])),
  };
}

/** `p. 4`, the nearest heading where the format has no pages, or nothing. */
export function placeOf(citation: Citation): string {
  if (citation.pageLabel !== undefined) return `p. ${cleanLine(citation.pageLabel)}`;
  if (citation.page !== undefined) return `p. ${citation.page}`;
  return citation.section === undefined ? "" : `§ ${cleanLine(citation.section)}`;
}

/** `[1] AI Strategy 2026, p. 4   [2] p. 9   [3] Board paper, p. 2`: a document is named once. */
export function sourceLineOf(citations: readonly NumberedCitation[]): string {
  let previous = "";
  return citations
    .map(({ n, citation }) => {
      const place = placeOf(citation);
      const document = documentName(citation);
      const repeated = document === previous && place !== "";
      previous = document;
      return `[${n}] ${[...(repeated ? [] : [document]), ...(place === "" ? [] : [place])].join(", ")}`;
    })
    .join("   ");
}

/** `[1][3] AI Strategy 2026   [2] Board paper`: the documents alone, where pages would take too much room. */
export function documentLineOf(citations: readonly NumberedCitation[]): string {
  const documents = new Map<string, number[]>();
  for (const { n, citation } of citations) {
    const name = documentName(citation);
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
export const fullSource = (one: NumberedCitation): string =>
  `${placeInFull(one)}: “${cleanText(one.citation.quote)}”`;

/** `[1] AI Strategy, p. 4, Goals`. */
export function placeInFull({ n, citation }: NumberedCitation): string {
  const page =
    citation.page === undefined
      ? ""
      : citation.pageLabel !== undefined && citation.pageLabel !== String(citation.page)
        ? `, p. ${cleanLine(citation.pageLabel)} (page ${citation.page} of the file)`
        : `, p. ${citation.page}`;
  const section = citation.section === undefined ? "" : `, ${cleanLine(citation.section)}`;
  return `[${n}] ${documentName(citation)}${page}${section}`;
}

export function documentName(citation: Citation): string {
  return cleanLine(citation.document) || cleanLine(citation.source) || "Untitled document";
}
