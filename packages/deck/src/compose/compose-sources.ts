import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import {
  documentName,
  fullSource,
  placeOf,
  rangesOf,
  type CitationBook,
  type NumberedCitation,
} from "./citation-book.ts";
import { tables } from "./compose-table.ts";
import { draftInput } from "./compose-text.ts";
import type { ComposeContext } from "./context.ts";
import { createDraft } from "./draft.ts";
import type { Cell, Page } from "./page.ts";

const HEADER = ["Source", "Where", "Marks"] as const;
/** More headings than this are counted, and named in the notes. */
const MAX_HEADINGS = 4;

interface Entry {
  readonly row: readonly Cell[];
  readonly notes: readonly string[];
}

/** A data source, and where its numbers stand. */
export interface DataSource {
  readonly name: string;
  /** Numbers of the slides, in order; empty where they are not known yet. */
  readonly slides: readonly number[];
}

/** What the deck rests on. */
interface Basis {
  readonly book: CitationBook;
  /** Marks up to this number stand on slides, later ones in notes only. */
  readonly seen: number;
  readonly data: readonly DataSource[];
}

/** One row a document, in order of first use, with the pages cited from it and their numbers. */
export function composeSources(
  { book, seen, data }: Basis,
  slide: Partial<SlideOf<"sources">>,
  context: ComposeContext,
): readonly Page[] {
  const documents = new Map<string, NumberedCitation[]>();
  for (const entry of book.all()) {
    // Compared by what a reader sees: a file that is cited under several paths is one source.
    const key = documentName(entry.citation).toLowerCase();
    documents.set(key, [...(documents.get(key) ?? []), entry]);
  }
  // Charts drawn from a table of a document that is listed already.
  const cited = new Set(
    book.all().flatMap(({ citation }) => [documentName(citation), citation.source].map(nameKey)),
  );
  const entries: Entry[] = [
    ...[...documents.values()].map((places) => documentRow(places, book, seen)),
    ...data
      .filter(({ name }) => !cited.has(nameKey(name)))
      .map(({ name, slides }) => ({
        row: rowOf(cleanLine(name), slidesOf(slides), ...(documents.size > 0 ? ["–"] : [])),
        notes: [`Data: ${cleanLine(name)}`],
      })),
  ];
  if (entries.length === 0) return [];
  const { notes, ...input } = draftInput({ title: "Sources", ...slide });
  const draft = createDraft(input, context);
  const header = documents.size > 0 ? HEADER : HEADER.slice(0, 2);
  const rows = entries.map(({ row }) => row);
  // All quotes are on the first page, so a row that continues in the next table has them once.
  const listed = entries.map((entry) => entry.notes.join("\n")).join("\n");
  return draft.pages(tables(header, rows, { draft, context, ofSources: true })).map((page, i) => ({
    ...page,
    notes: i === 0 ? [...(notes === undefined ? [] : [notes]), listed].join("\n\n") : page.notes,
  }));
}

/** Without folders and case. */
const nameKey = (name: string): string => (cleanLine(name).split(/[/\\]/).at(-1) ?? "").toLowerCase();

const rowOf = (...texts: readonly string[]): readonly Cell[] =>
  texts.map((text) => ({ text, number: false }));

/** `slides 2, 11–13`. */
function slidesOf(slides: readonly number[]): string {
  if (slides.length === 0) return "charts";
  return slides.length === 1 ? `slide ${slides[0]}` : `slides ${runsOf(slides)}`;
}

/** `3, 5–10, 12`: numbers in order, three and more in a row as one. */
function runsOf(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && n === last.to + 1) last.to = n;
    else if (n !== last?.to) runs.push({ from: n, to: n });
  }
  return runs
    .map(({ from, to }) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`))
    .join(", ");
}

function documentRow(cited: readonly NumberedCitation[], book: CitationBook, seen: number): Entry {
  const inOrder = cited.toSorted((a, b) => (a.citation.page ?? 0) - (b.citation.page ?? 0) || a.n - b.n);
  const notes = inOrder
    .flatMap((entry) => book.get(entry.n))
    .map((quote) => `${fullSource(quote)} (${cleanLine(quote.citation.source)})`);
  const shown = inOrder.filter(({ n }) => n <= seen);
  const marks = shown.length === 0 ? "–" : rangesOf(shown.map(({ n }) => n).toSorted((a, b) => a - b));
  // Beside marks stand the places of these marks; what only notes cite, they name.
  const places = placesOf(shown.length === 0 ? inOrder : shown);
  const [first] = cited;
  return { row: rowOf(first === undefined ? "" : documentName(first.citation), places, marks), notes };
}

/** `pages 3, 5–10, § Goals`: pages by their numbers, what has none by its label or heading. */
function placesOf(cited: readonly NumberedCitation[]): string {
  const isNumbered = ({ citation: { page, pageLabel } }: NumberedCitation): boolean =>
    page !== undefined && (pageLabel === undefined || /^\d+$/.test(pageLabel));
  const pages = cited.filter(isNumbered).map(({ citation }) => Number(citation.pageLabel ?? citation.page));
  const others = cited.filter((one) => !isNumbered(one)).map(({ citation }) => placeOf(citation));
  const named = [...new Set(others.filter((place) => place !== ""))];
  const numbered = runsOf([...new Set(pages)].sort((a, b) => a - b));
  return [
    ...(pages.length === 0 ? [] : [`${pages.length === 1 ? "page" : "pages"} ${numbered}`]),
    ...(named.length > MAX_HEADINGS ? [`${named.length} sections`] : named),
  ].join(", ");
}
