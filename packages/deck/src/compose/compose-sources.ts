import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import {
  documentName,
  fullSource,
  placeOf,
  type CitationBook,
  type NumberedCitation,
} from "./citation-book.ts";
import { tables } from "./compose-table.ts";
import { draftInput } from "./compose-text.ts";
import { createDraft } from "./draft.ts";
import type { Cell, Page } from "./page.ts";

const HEADER = ["Source", "Page and mark"] as const;
/** Places of one document in a row: two lines or three. */
const MAX_PLACES = 18;

interface Entry {
  readonly row: readonly Cell[];
  readonly notes: readonly string[];
}

/** Charts that rest on a data source. */
export interface DataSource {
  readonly name: string;
  readonly charts: number;
}

/** One row a document, in order of first use, with the pages cited from it and their numbers. */
export function composeSources(
  book: CitationBook,
  data: readonly DataSource[],
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
    ...[...documents.values()].flatMap((cited) => documentRows(cited, nameWords, book)),
    ...data.map(({ name, charts }) => ({
      row: rowOf(
        tighten(cleanLine(name), nameWords),
        charts === 1 ? "data of a chart" : `data of ${charts} charts`,
      ),
      notes: [`Data: ${cleanLine(name)}`],
    })),
  ];
  if (entries.length === 0) return [];
  const { notes, ...input } = draftInput({ title: "Sources", ...slide }, { book, from, sections: 0 });
  const draft = createDraft(input, book);
  const noteOf = new Map(entries.map((entry) => [entry.row, entry.notes.join("\n")]));
  return draft.pages(tables(HEADER, [...noteOf.keys()], draft)).map((page, i) => {
    const rows = page.content.form === "table" ? page.content.rows : [];
    const listed = rows.map((row) => noteOf.get(row)).join("\n");
    return { ...page, notes: [...(i === 0 && notes !== undefined ? [notes] : []), listed].join("\n\n") };
  });
}

const rowOf = (document: string, places: string): readonly Cell[] =>
  [document, places].map((text) => ({ text, number: false }));

/** A document cited from very many places takes more than one row. */
function documentRows(
  cited: readonly NumberedCitation[],
  nameWords: number,
  book: CitationBook,
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
    return [{ row: rowOf(tighten(documentName(first.citation), nameWords), placesOf(run)), notes }];
  });
}

/** `p. 6 [1], 8 [3], § Goals [2]`: the letter of a page stands once in a row of pages. */
function placesOf(cited: readonly NumberedCitation[]): string {
  let page = false;
  return cited
    .map(({ n, citation }) => {
      const place = placeOf(citation);
      const repeated = page && place.startsWith("p. ");
      page = place.startsWith("p. ");
      return `${repeated ? place.slice("p. ".length) : place} [${n}]`.trim().replaceAll(" ", "\u00a0");
    })
    .join(", ");
}
