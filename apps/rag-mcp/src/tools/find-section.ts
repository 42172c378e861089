import { nearestNames } from "@troupe/core";
import type { Outline, OutlineHeading, Retriever } from "@troupe/retrieval";

import { foldName } from "./document-filter.ts";
import { inline } from "./present.ts";

/** A part of a page; to the end of the page when `end` is absent. */
export interface PageSpan {
  readonly page: number;
  readonly start: number;
  readonly end?: number;
}

/**
 * The text under a heading and its subheadings; with `page`, under the heading of that name on that page. Without
 * spans where there is no such document.
 */
export async function findSection(
  index: Pick<Retriever, "outline">,
  documentId: string,
  wanted: string,
  page: number | undefined,
): Promise<{ readonly heading: string; readonly spans: readonly PageSpan[] } | { readonly error: string }> {
  const outline = await index.outline(documentId);
  if (outline === undefined) return { heading: wanted, spans: [] };
  const at = indexOfHeading(outline.headings, wanted, page);
  const heading = outline.headings[at];
  if (heading === undefined) return { error: noHeading(outline, wanted) };
  const next = outline.headings.slice(at + 1).find(({ depth }) => depth <= heading.depth);
  return { heading: heading.text, spans: spansBetween(heading, next, outline.pages) };
}

function indexOfHeading(
  headings: readonly OutlineHeading[],
  wanted: string,
  page: number | undefined,
): number {
  const folded = foldName(wanted);
  const onPage = (heading: OutlineHeading): boolean => page === undefined || heading.page === page;
  const same = headings.findIndex((heading) => onPage(heading) && foldName(heading.text) === folded);
  if (same >= 0) return same;
  return headings.findIndex((heading) => onPage(heading) && foldName(heading.text).includes(folded));
}

function spansBetween(
  from: OutlineHeading,
  next: OutlineHeading | undefined,
  pages: number,
): readonly PageSpan[] {
  const last = next?.page ?? pages;
  const spans = Array.from({ length: last - from.page + 1 }, (_, at): PageSpan => {
    const page = from.page + at;
    return {
      page,
      start: at === 0 ? from.start : 0,
      ...(page === next?.page ? { end: next.start } : {}),
    };
  });
  return spans.filter(({ start, end = Infinity }) => end > start);
}

function noHeading({ document, headings }: Outline, wanted: string): string {
  const texts = headings.map(({ text }) => text);
  const near = nearestNames(wanted, texts);
  const shown = (near.length > 0 ? near : texts).slice(0, 5).map((text) => `"${inline(text)}"`);
  const there =
    shown.length === 0
      ? "It has no headings; give page instead."
      : `There is ${shown.join(", ")}; see rag_outline.`;
  return `heading: "${inline(document.title)}" has no heading "${inline(wanted)}". ${there}`;
}
