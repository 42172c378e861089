import { splitSentences } from "@troupe/core/text";
import { unreachable, type Citation } from "@troupe/stream";

import { RULES } from "../spec/limits.ts";
import type { Origin, Point } from "../spec/slide-schema.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import { capWidth, countWords, roomInWords } from "../text/words.ts";
import {
  documentLineOf,
  fullSource,
  placeInFull,
  rangesOf,
  sourceLineOf,
  type CitationBook,
  type NumberedCitation,
} from "./citation-book.ts";
import { fitTitle } from "./fit-title.ts";
import type { Content, Marked, Page } from "./page.ts";
import { partition } from "./partition.ts";

/** Never leaves a slide's content with less than this, however long the title. */
const MIN_BUDGET = 12;

/** About two lines at the foot. */
const SOURCE_LINE_CHARS = 220;

/** Builds the pages of one spec slide, keeping what had to be shortened for the notes. */
export interface Draft {
  readonly title: string;
  /** Words left for content on each page. */
  readonly budget: number;
  readonly marks: readonly number[];
  /** Shortens to `max` words; the full text goes to the notes. */
  short(text: string, max: number): string;
  point(point: Point, max?: number): Marked;
  note(text: string): void;
  /** One run where a page takes them all, else as few as it takes; `taken` words stand beside them. */
  runs<T>(
    items: readonly T[],
    weight: (item: T) => number,
    maxItems: number,
    taken?: number,
  ): readonly (readonly T[])[];
  pages(contents: readonly Content[], dataSource?: string): readonly Page[];
}

export interface DraftInput {
  readonly title: string;
  readonly sources?: readonly Citation[];
  readonly notes?: string;
  /** Statements for the notes, each with its own sources. */
  readonly more?: readonly Point[];
  /** Charts whose numbers stand on the slide in words. */
  readonly data?: readonly Origin[];
  readonly from?: number;
}

export function createDraft(input: DraftInput, book: CitationBook): Draft {
  const full: string[] = [];
  const extra: string[] = [];
  const fullTitle = cleanLine(input.title);
  const title = fitTitle(fullTitle);
  if (title !== fullTitle) full.push(fullTitle);
  // Quotes of this slide: the book also knows those of others from the same places.
  const quoted = new Set<Citation>();
  const mark = (sources: readonly Citation[] | undefined): readonly number[] => {
    const numbers = book.mark(sources);
    const texts = new Set(sources?.map((source) => source.quote));
    for (const { citation } of numbers.flatMap((n) => book.get(n)))
      if (texts.has(citation.quote)) quoted.add(citation);
    return numbers;
  };
  const marks = mark(input.sources);
  for (const { provenance } of input.data ?? []) extra.push(dataNote(provenance));
  const budget = Math.max(MIN_BUDGET, RULES.maxWords - countWords(title));

  const short = (text: string, max: number): string => {
    const clean = cleanLine(text);
    const kept = capWidth(tighten(clean, max), max);
    if (kept !== clean) full.push(clean);
    return kept;
  };

  return {
    title,
    budget,
    marks,
    short,
    point(point, max = 30) {
      const sources = "sources" in point ? point.sources : undefined;
      const figure = "figure" in point ? point.figure : undefined;
      return {
        text: withoutStop(short(point.text, Math.min(max, budget - 1))),
        ...(figure === undefined ? {} : { figure: cleanLine(figure) }),
        marks: mark(sources),
      };
    },
    note: (text) => void extra.push(text),
    runs(items, weight, maxItems, taken = 0) {
      const room = budget - taken;
      const whole = items.reduce((n, item) => n + weight(item), 0) <= room && items.length <= maxItems;
      if (whole) return items.length === 0 ? [] : [items];
      // One word for the `(1/2)` of a slide that continues.
      return partition(items, weight, Math.max(1, room - 1), maxItems);
    },
    pages(contents, dataSource = dataSourceOf(input.data ?? [])) {
      const also = (input.more ?? []).map((point) => alsoLine(point, book));
      const texts = (input.more ?? []).map((point) => cleanLine(point.text));
      const unsaid = full.filter((text) => !texts.some((said) => text.endsWith(bare(said))));
      const alsoFrom = (input.more ?? []).flatMap((point) => quotesOf(point, book));
      return contents.map((content, i) => {
        const suffix = contents.length > 1 ? ` (${i + 1}/${contents.length})` : "";
        const used = [...new Set([...marks, ...marksOf(content)])].sort((a, b) => a - b);
        const quotes = used.flatMap((n) => book.get(n).filter((quote) => quoted.has(quote.citation)));
        const cited = quotes.filter((quote, at) => quotes.findIndex((other) => other.n === quote.n) === at);
        const sourceLine = chooseSourceLine(cited, dataSource);
        const told = i === 0 ? texts : [];
        const from = [
          ...new Set([...quotes, ...(i === 0 ? alsoFrom : [])].map((one) => sourceIn(one, told))),
        ];
        // What can be said first, what is looked up after it.
        const notes = [
          ...(i === 0 && input.notes !== undefined ? [cleanText(input.notes)] : []),
          ...(i === 0 && unsaid.length > 0 ? [`In full:\n${unsaid.map((t) => `• ${t}`).join("\n")}`] : []),
          ...(i === 0 && also.length > 0 ? [`Also:\n${also.join("\n")}`] : []),
          ...(i === 0 ? extra : []),
          ...(from.length > 0 ? [`Sources:\n${from.join("\n")}`] : []),
        ].filter((part) => part !== "");
        return {
          title: title + suffix,
          content,
          ...(sourceLine === "" ? {} : { sourceLine }),
          notes: notes.join("\n\n"),
          ...(input.from === undefined ? {} : { from: input.from }),
        };
      });
    },
  };
}

/** What a chart rests on, for the notes. */
export const dataNote = ({ source, query }: Origin["provenance"]): string =>
  `Data: ${cleanLine(source)}. Query: ${cleanLine(query)}`;

function dataSourceOf(data: readonly Origin[]): string | undefined {
  return data.length === 0
    ? undefined
    : [...new Set(data.map(({ provenance }) => provenance.source))].join(", ");
}

/** One sentence on a slide stands without its full stop; several keep theirs. */
const withoutStop = (text: string): string =>
  text.endsWith("..") || splitSentences(text).length > 1 ? text : text.replace(/\.$/, "");

/** A statement of the notes with the marks of where it stands; the quotes follow below. */
function alsoLine(point: Point, book: CitationBook): string {
  const marks = rangesOf(book.mark(sourcesOf(point)));
  return `• ${cleanLine(point.text)}${marks === "" ? "" : ` ${marks}`}`;
}

const bare = (text: string): string => text.replace(/\.$/, "");

/** What stands in the notes already is not quoted once more; of a table the first line tells which one it is. */
function sourceIn(one: NumberedCitation, told: readonly string[]): string {
  const quote = cleanText(one.citation.quote);
  if (told.some((text) => bare(text) === bare(cleanLine(quote)))) return placeInFull(one);
  const [first = "", ...rest] = quote.split("\n");
  const isTable = rest.length > 0 && first.includes(" | ");
  return isTable ? `${placeInFull(one)}: “${first} …”` : fullSource(one);
}

const quotesOf = (point: Point, book: CitationBook): readonly NumberedCitation[] =>
  sourcesOf(point).flatMap((citation) => book.mark([citation]).map((n) => ({ n, citation })));

const sourcesOf = (point: Point): readonly Citation[] => ("sources" in point ? (point.sources ?? []) : []);

function chooseSourceLine(cited: readonly NumberedCitation[], dataSource?: string): string {
  const data =
    dataSource === undefined ? [] : [`Data: ${tighten(cleanLine(dataSource), 8)} (query in the notes)`];
  // From the fullest form to the shortest; the notes hold every document and page in any case.
  const forms = [
    sourceLineOf(cited, 8),
    sourceLineOf(cited, 5),
    documentLineOf(cited, 8),
    documentLineOf(cited, 5),
    documentLineOf(cited, 3),
    documentLineOf(cited, 2),
  ];
  for (const form of forms) {
    const line = [...data, ...(form === "" ? [] : [form])].join("   ");
    if (line.length <= SOURCE_LINE_CHARS) return line;
  }
  const short = cited.length === 0 ? [] : [`${rangesOf(cited.map((c) => c.n))}: see Sources`];
  return [...data, ...short].join("   ");
}

function marksOf(content: Content): readonly number[] {
  switch (content.form) {
    case "points":
    case "figures":
    case "chart":
    case "closing":
      return content.points.flatMap((p) => p.marks);
    case "columns":
      return content.columns.flatMap((c) => c.points.flatMap((p) => p.marks));
    case "quote":
      return content.marks;
    case "cover":
    case "section":
    case "agenda":
    case "table":
      return [];
    default:
      return unreachable(content);
  }
}

export const pointWords = (point: Marked): number => roomInWords(point.text) + countWords(point.figure ?? "");

/** In a table only tokens with a letter are words. */
export function tableWords(cells: readonly string[]): number {
  return cells.reduce((n, cell) => n + cell.split(/\s+/).filter((token) => /\p{L}/u.test(token)).length, 0);
}
