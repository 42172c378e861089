import type { Citation } from "@troupe/stream";

import { RULES } from "../spec/limits.ts";
import type { Point } from "../spec/slide-schema.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import { countWords } from "../text/words.ts";
import {
  documentLineOf,
  fullSource,
  rangesOf,
  sourceLineOf,
  type CitationBook,
  type NumberedCitation,
} from "./citation-book.ts";
import { fitTitle } from "./fit-title.ts";
import type { Content, Marked, Page } from "./page.ts";

/** Words the short form of the source line takes; kept free wherever a slide has sources. */
const SHORT_SOURCE_WORDS = 3;
/** Never leaves a slide's content with less than this, however long the title. */
const MIN_BUDGET = 12;

/** Text without spaces is bounded too. */
const CHARS_PER_WORD = 12;

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
  pages(contents: readonly Content[], dataSource?: string): readonly Page[];
}

export interface DraftInput {
  readonly title: string;
  readonly sources?: readonly Citation[];
  readonly notes?: string;
  /** Sources cited inside the content, so room is kept for the source line. */
  readonly cited: boolean;
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
  const reserve = input.cited || marks.length > 0 ? SHORT_SOURCE_WORDS : 0;
  // One word for the `(1/2)` of a slide that continues.
  const budget = Math.max(MIN_BUDGET, RULES.maxWords - countWords(title) - reserve - 1);

  const short = (text: string, max: number): string => {
    const clean = cleanLine(text);
    const kept = cap(tighten(clean, max), max * CHARS_PER_WORD);
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
        text: short(point.text, Math.min(max, budget)),
        ...(figure === undefined ? {} : { figure: cleanLine(figure) }),
        marks: mark(sources),
      };
    },
    note: (text) => void extra.push(text),
    pages(contents, dataSource) {
      return contents.map((content, i) => {
        const suffix = contents.length > 1 ? ` (${i + 1}/${contents.length})` : "";
        const used = [...new Set([...marks, ...marksOf(content)])].sort((a, b) => a - b);
        const quotes = used.flatMap((n) => book.get(n).filter((quote) => quoted.has(quote.citation)));
        const cited = quotes.filter((quote, at) => quotes.findIndex((other) => other.n === quote.n) === at);
        const words = countWords(title + suffix) + contentWords(content);
        const sourceLine = chooseSourceLine(cited, RULES.maxWords - words, dataSource);
        const notes = [
          ...(i === 0 && input.notes !== undefined ? [cleanText(input.notes)] : []),
          ...(i === 0 && full.length > 0 ? [`In full:\n${full.map((t) => `• ${t}`).join("\n")}`] : []),
          ...(i === 0 ? extra : []),
          ...(cited.length > 0 ? [`Sources:\n${quotes.map(fullSource).join("\n")}`] : []),
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

function cap(text: string, chars: number): string {
  return text.length <= chars
    ? text
    : `${text
        .slice(0, chars - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

function chooseSourceLine(cited: readonly NumberedCitation[], room: number, dataSource?: string): string {
  const data = dataSource === undefined ? [] : [`Data: ${tighten(cleanLine(dataSource), 5)}`];
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
    if (countWords(line) <= room && line.length <= 220) return line;
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
    default:
      return [];
  }
}

export const pointWords = (point: Marked): number => countWords(point.text) + countWords(point.figure ?? "");

/** Words a reader sees in the content; numbers in a table and a chart are not words. */
export function contentWords(content: Content): number {
  const sum = (texts: readonly (string | undefined)[]): number =>
    texts.reduce<number>((total, text) => total + countWords(text ?? ""), 0);
  switch (content.form) {
    case "cover":
      return sum([content.subtitle, content.byline]);
    case "agenda":
      return sum(content.items) + content.items.length;
    case "section":
      return (content.number === undefined ? 0 : 1) + sum([content.subtitle]);
    case "points":
      return content.points.reduce((n, p) => n + pointWords(p), sum([content.heading]));
    case "figures":
      return content.points.reduce((n, p) => n + pointWords(p), sum([content.caption]));
    case "columns":
      return content.columns.reduce(
        (n, c) => c.points.reduce((m, p) => m + pointWords(p), n + sum([c.heading])),
        0,
      );
    case "chart":
      return content.points.reduce((n, p) => n + pointWords(p), sum([content.caption]));
    case "table":
      return (
        tableWords(content.header) +
        content.rows.reduce((n, row) => n + tableWords(row.map((c) => c.text)), 0)
      );
    case "quote":
      return sum([content.quote, content.by]);
    case "sources":
      return sum(content.rows.flatMap((row) => [row.document, row.places]));
    default:
      return content.points.reduce((n, p) => n + pointWords(p), sum([content.contact]));
  }
}

/** In a table only tokens with a letter are words. */
export function tableWords(cells: readonly string[]): number {
  return cells.reduce((n, cell) => n + cell.split(/\s+/).filter((token) => /\p{L}/u.test(token)).length, 0);
}
