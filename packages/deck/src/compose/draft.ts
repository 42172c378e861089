import { unreachable, type Citation } from "@troupe/stream";

import { sourceLineFits } from "../layout/layout-slides.ts";
import type { Origin, Point } from "../spec/slide-schema.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import {
  documentLineOf,
  fullSource,
  placeInFull,
  rangesOf,
  sourceLineOf,
  type NumberedCitation,
} from "./citation-book.ts";
import type { ComposeContext } from "./context.ts";
import type { Content, Marked, Page } from "./page.ts";
import { paginate, splitText, type Pagination } from "./paginate.ts";

/** Builds the pages of one spec slide. */
export interface Draft {
  readonly title: string;
  readonly marks: readonly number[];
  /** Cleaned, and its sources numbered. */
  point(point: Point): Marked;
  /** Adds a paragraph to the notes. */
  note(text: string): void;
  /** Says why the slide continues, such as `14 bullets, room for 9 at 14 pt`. */
  explain(room: string): void;
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
}

export function createDraft(
  input: DraftInput,
  { book, from, hasSourcesSlide }: Omit<ComposeContext, "fits">,
): Draft {
  const extra: string[] = [];
  let room: string | undefined;
  const title = cleanLine(input.title);
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

  return {
    title,
    marks,
    point(point) {
      const figure = "figure" in point ? point.figure : undefined;
      return {
        ...withLead(cleanLine(point.text)),
        ...(figure === undefined ? {} : { figure: cleanLine(figure) }),
        marks: mark(sourcesOf(point)),
      };
    },
    note: (text) => void extra.push(text),
    explain(text) {
      room ??= text;
    },
    pages(contents, dataSource = dataSourceOf(input.data ?? [])) {
      const more = input.more ?? [];
      const also = more.map((point) => {
        const ranges = rangesOf(book.mark(sourcesOf(point)));
        return `• ${cleanLine(point.text)}${ranges === "" ? "" : ` ${ranges}`}`;
      });
      const texts = more.map((point) => cleanLine(point.text));
      const alsoFrom = more.flatMap((point) =>
        sourcesOf(point).flatMap((citation) => book.mark([citation]).map((n) => ({ n, citation }))),
      );
      return contents.map((content, i) => {
        const suffix = contents.length > 1 && title !== "" ? ` (${i + 1}/${contents.length})` : "";
        const used = [...new Set([...marks, ...marksOf(content)])].sort((a, b) => a - b);
        const quotes = used.flatMap((n) => book.get(n).filter((quote) => quoted.has(quote.citation)));
        const cited = quotes.filter((quote, at) => quotes.findIndex((other) => other.n === quote.n) === at);
        const sourceLine = chooseSourceLine(cited, dataSource, hasSourcesSlide);
        const told = i === 0 ? texts : [];
        const sources = [
          ...new Set([...quotes, ...(i === 0 ? alsoFrom : [])].map((one) => sourceIn(one, told))),
        ];
        // What can be said first, what is looked up after it.
        const notes = [
          ...(i === 0 && input.notes !== undefined ? [cleanText(input.notes)] : []),
          ...(i === 0 && also.length > 0 ? [`Also:\n${also.join("\n")}`] : []),
          ...(i === 0 ? extra : []),
          ...(sources.length > 0 ? [`Sources:\n${sources.join("\n")}`] : []),
        ].filter((part) => part !== "");
        return {
          title: title + suffix,
          content,
          ...(sourceLine === "" ? {} : { sourceLine }),
          notes: notes.join("\n\n"),
          ...(i === 0 && room !== undefined && contents.length > 1 ? { room } : {}),
          ...(from === undefined ? {} : { from }),
        };
      });
    },
  };
}

/** Words of a lead at most: more are a sentence of their own. */
const LEAD_WORDS = 4;

/**
 * `**Owner:** Elin Dahl` as its lead and the rest; the colon may also follow the stars. Stars around other words mean bold,
 * which a statement has for its lead and figure only, so they are not shown, nor are the backticks of code.
 */
function withLead(text: string): { readonly text: string; readonly lead?: string } {
  const [, lead = "", colon = "", rest = ""] = /^\*\*([^*]{1,40})\*\*(:?) (\S.*)$/.exec(text) ?? [];
  const isLead = lead.trim() !== "" && lead.trim().split(" ").length <= LEAD_WORDS;
  return isLead ? { lead: `${lead.trim()}${colon}`, text: withoutStars(rest) } : { text: withoutStars(text) };
}

const withoutStars = (text: string): string =>
  text.replace(/\*\*(?=\S)([^*]+?)(?<=\S)\*\*/g, "$1").replace(/`(?=\S)([^`]+?)(?<=\S)`/g, "$1");

/** The statements of one slide after the other, and why they take several. */
export function paginatePoints(
  points: readonly Marked[],
  contentOf: (run: readonly Marked[]) => Content,
  { context, draft, what, pt }: PointPaging,
): readonly (readonly Marked[])[] {
  const fits = (run: readonly Marked[]): boolean => context.fits(contentOf(run));
  const paged = paginate(points, fits, (point) => splitPoint(point, (head) => fits([head])));
  if (paged.runs.length > 1) draft.explain(roomOf(points, paged, what, pt));
  return paged.runs;
}

interface PointPaging {
  readonly context: ComposeContext;
  readonly draft: Draft;
  /** As in `14 bullets`. */
  readonly what: string;
  /** The smallest size that was tried. */
  readonly pt: number;
}

function roomOf(points: readonly Marked[], paged: Pagination<Marked>, what: string, pt: number): string {
  if (paged.room > 0) return `${points.length} ${what}, room for ${paged.room} at ${pt} pt`;
  const [whole] = points;
  const shown = paged.runs[0]?.[0]?.text.length ?? 0;
  return `a text of ${whole?.text.length ?? 0} characters, room for about ${shown} at ${pt} pt`;
}

/** Both parts keep the sources; the first part keeps the figure and the lead. */
function splitPoint(point: Marked, fits: (head: Marked) => boolean): readonly [Marked, Marked] | undefined {
  const parts = splitText(point.text, (text) => fits({ ...point, text }));
  return (
    parts && [
      { ...point, text: parts[0] },
      { text: parts[1], marks: point.marks },
    ]
  );
}

/** What a chart rests on, for the notes. */
export const dataNote = ({ source, query }: Origin["provenance"]): string =>
  `Data: ${cleanLine(source)}. Query: ${cleanLine(query)}`;

function dataSourceOf(data: readonly Origin[]): string | undefined {
  return data.length === 0
    ? undefined
    : [...new Set(data.map(({ provenance }) => provenance.source))].join(", ");
}

const bare = (text: string): string => text.replace(/\.$/, "");

/** Leaves out quotes that the notes already have. */
function sourceIn(one: NumberedCitation, told: readonly string[]): string {
  const quote = bare(cleanLine(one.citation.quote));
  return told.some((text) => bare(text) === quote) ? placeInFull(one) : fullSource(one);
}

const sourcesOf = (point: Point): readonly Citation[] => ("sources" in point ? (point.sources ?? []) : []);

/** From the fullest form to the shortest that fits; the notes hold every document and page in any case. */
function chooseSourceLine(
  cited: readonly NumberedCitation[],
  dataSource: string | undefined,
  hasSourcesSlide: boolean,
): string {
  const data = dataSource === undefined ? [] : [`Data: ${cleanLine(dataSource)} (query in the notes)`];
  const ranges = rangesOf(cited.map((one) => one.n));
  const short = cited.length === 0 ? [] : [`${ranges}: see ${hasSourcesSlide ? "Sources" : "the notes"}`];
  const forms = [
    [...data, ...(cited.length === 0 ? [] : [sourceLineOf(cited)])],
    [...data, ...(cited.length === 0 ? [] : [documentLineOf(cited)])],
    [...data, ...short],
    [...(dataSource === undefined ? [] : ["Data: see the notes"]), ...short],
  ].map((parts) => parts.join("   "));
  return forms.find(sourceLineFits) ?? forms.at(-1) ?? "";
}

function marksOf(content: Content): readonly number[] {
  switch (content.form) {
    case "figures":
      return [...content.points, ...(content.remarks ?? [])].flatMap((p) => p.marks);
    case "points":
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
