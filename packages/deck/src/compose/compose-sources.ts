import { RULES } from "../spec/limits.ts";
import { cleanLine } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import { countWords } from "../text/words.ts";
import {
  documentName,
  fullSource,
  placeOf,
  type CitationBook,
  type NumberedCitation,
} from "./citation-book.ts";
import { fitTitle } from "./fit-title.ts";
import type { Page, SourceRow } from "./page.ts";
import { partition } from "./partition.ts";

const MAX_ROWS = 7;

interface Entry extends SourceRow {
  readonly notes: readonly string[];
}

/** One row a document, in order of first use, with the numbers and pages cited from it. */
export function composeSources(
  book: CitationBook,
  dataSources: readonly string[],
  options: { readonly title?: string; readonly notes?: string; readonly from?: number },
): readonly Page[] {
  const title = fitTitle(cleanLine(options.title ?? "Sources"));
  const documents = new Map<string, NumberedCitation[]>();
  for (const entry of book.all()) {
    const key = `${documentName(entry.citation)}\n${entry.citation.source}`;
    documents.set(key, [...(documents.get(key) ?? []), entry]);
  }
  // Many documents: shorter names, so that the list stays on few slides. The notes have them whole.
  const nameWords = documents.size > 4 ? 5 : 8;
  const entries: Entry[] = [
    ...[...documents.values()].flatMap((cited) => documentRows(cited, nameWords, book)),
    ...dataSources.map((source) => ({
      document: tighten(cleanLine(source), nameWords),
      places: "data",
      notes: [`Data: ${cleanLine(source)}`],
    })),
  ];
  if (entries.length === 0) return [];
  const words = (e: Entry): number => countWords(`${e.document} ${e.places}`);
  const runs = partition(entries, words, RULES.maxWords - countWords(title) - 1, MAX_ROWS);
  return runs.map((run, i) => ({
    title: title + (runs.length > 1 ? ` (${i + 1}/${runs.length})` : ""),
    content: { form: "sources", rows: run.map(({ document, places }) => ({ document, places })) },
    notes: [
      ...(i === 0 && options.notes !== undefined ? [options.notes] : []),
      run.flatMap((e) => e.notes).join("\n"),
    ].join("\n\n"),
    ...(options.from === undefined ? {} : { from: options.from }),
  }));
}

/** A document cited from many places takes more than one row. */
function documentRows(
  cited: readonly NumberedCitation[],
  nameWords: number,
  book: CitationBook,
): readonly Entry[] {
  const [first] = cited;
  if (first === undefined) return [];
  const document = tighten(documentName(first.citation), nameWords);
  const inOrder = cited.toSorted((a, b) => (a.citation.page ?? 0) - (b.citation.page ?? 0) || a.n - b.n);
  return partition(inOrder, (entry) => countWords(placeOf(entry.citation)), 13, 6).map((run, i) => ({
    document: i === 0 ? document : `${tighten(document, 3)} (cont.)`,
    places: placesOf(run),
    notes: run
      .flatMap((entry) => book.get(entry.n))
      .map((quote) => `${fullSource(quote)} (${cleanLine(quote.citation.source)})`),
  }));
}

/** `p. 6 [1], 8 [3], § Goals [2]`: the letter of a page stands once in a row of pages. */
function placesOf(cited: readonly NumberedCitation[]): string {
  let page = false;
  return cited
    .map(({ n, citation }) => {
      const place = placeOf(citation);
      const repeated = page && place.startsWith("p. ");
      page = place.startsWith("p. ");
      return `${repeated ? place.slice("p. ".length) : place} [${n}]`.trim();
    })
    .join(", ");
}
