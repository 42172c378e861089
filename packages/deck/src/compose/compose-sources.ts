import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import { countWords } from "../text/words.ts";
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
import { createDraft } from "./draft.ts";
import type { Cell, Page } from "./page.ts";

const HEADER = ["Source", "Where", "Marks"] as const;
/** Places of one document in a row: two lines or three. */
const MAX_PLACES = 18;

/** Words that headings take in a row; more of them are counted, and stand in the notes. */
const MAX_PLACE_WORDS = 20;

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
  from?: number,
): readonly Page[] {
  const documents = new Map<string, NumberedCitation[]>();
  for (const entry of book.all()) {
    const key = `${documentName(entry.citation)}\n${entry.citation.source}`;
    documents.set(key, [...(documents.get(key) ?? []), entry]);
  }
  // Many documents: shorter names, so that the list stays on few slides. The notes have them whole.
  const nameWords = documents.size > 4 ? 5 : 8;
  const entries: Entry[] = [
    ...[...documents.values()].flatMap((cited) => documentRows(cited, nameWords, book, seen)),
    ...data.map(({ name, slides }) => ({
      row: rowOf(tighten(cleanLine(name), nameWords), slidesOf(slides), ...(documents.size > 0 ? ["–"] : [])),
      notes: [`Data: ${cleanLine(name)}`],
    })),
  ];
  if (entries.length === 0) return [];
  const { notes, ...input } = draftInput({ title: "Sources", ...slide }, { book, from, sections: 0 });
  const draft = createDraft(input, book);
  const noteOf = new Map(entries.map((entry) => [entry.row, entry.notes.join("\n")]));
  return draft
    .pages(tables(documents.size > 0 ? HEADER : HEADER.slice(0, 2), [...noteOf.keys()], draft))
    .map((page, i) => {
      if (page.content.form !== "table") return page;
      const content = { ...page.content, ofSources: true } as const;
      const listed = content.rows.map((row) => noteOf.get(row)).join("\n");
      return {
        ...page,
        content,
        notes: [...(i === 0 && notes !== undefined ? [notes] : []), listed].join("\n\n"),
      };
    });
}

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

/** A document cited from very many places takes more than one row. */
function documentRows(
  cited: readonly NumberedCitation[],
  nameWords: number,
  book: CitationBook,
  seen: number,
): readonly Entry[] {
  const inOrder = cited.toSorted((a, b) => (a.citation.page ?? 0) - (b.citation.page ?? 0) || a.n - b.n);
  const runs = Array.from({ length: Math.ceil(inOrder.length / MAX_PLACES) }, (_, i) =>
    inOrder.slice(i * MAX_PLACES, (i + 1) * MAX_PLACES),
  );
  return runs.flatMap((run): readonly Entry[] => {
    const [first] = run;
    if (first === undefined) return [];
    const notes = run
      .flatMap((entry) => book.get(entry.n))
      .map((quote) => `${fullSource(quote)} (${cleanLine(quote.citation.source)})`);
    const shown = run.filter(({ n }) => n <= seen);
    const marks = shown.length === 0 ? "–" : rangesOf(shown.map(({ n }) => n).toSorted((a, b) => a - b));
    // Beside marks stand the places of these marks; what only notes cite, they name.
    const places = placesOf(shown.length === 0 ? run : shown);
    return [{ row: rowOf(tighten(documentName(first.citation), nameWords), places, marks), notes }];
  });
}

/** `pages 3, 5–10, § Goals`: pages by their numbers, what has none by its label or heading. */
function placesOf(cited: readonly NumberedCitation[]): string {
  const isNumbered = ({ citation: { page, pageLabel } }: NumberedCitation): boolean =>
    page !== undefined && (pageLabel === undefined || /^\d+$/.test(pageLabel));
  const pages = cited.filter(isNumbered).map(({ citation }) => Number(citation.pageLabel ?? citation.page));
  const others = cited.filter((one) => !isNumbered(one)).map(({ citation }) => placeOf(citation));
  const named = [...new Set(others.filter((place) => place !== ""))];
  const many = named.reduce((n, place) => n + countWords(place), 0) > MAX_PLACE_WORDS;
  const numbered = runsOf([...new Set(pages)].sort((a, b) => a - b));
  return [
    ...(pages.length === 0 ? [] : [`${pages.length === 1 ? "page" : "pages"} ${numbered}`]),
    ...(many ? [`${named.length} sections`] : named),
  ].join(", ");
}
