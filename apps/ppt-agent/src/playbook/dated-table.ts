import { dateOf, yearOf } from "./dated.ts";
import { countWords, MAX_WORDS, tableWords } from "./in-brief.ts";
import type { Table } from "./read-briefing.ts";
import type { PlanBasis } from "./plan-basis.ts";
import { isPeople } from "./table-plan.ts";

/** Slides of a long table of dates, each with its title. */
export interface DatedTable {
  /** Which columns are shown. */
  readonly columns: readonly number[];
  readonly slides: readonly {
    readonly title: string;
    readonly rows: Rows;
    /** The rows as the document has them. */
    readonly of: Rows;
  }[];
}

type Row = readonly string[];
type Rows = readonly Row[];

const MOST_ROWS = 10;

/**
 * All rows of a table whose first column has dates, on as few slides as three, without names of people and
 * a header; articles go where that spares a slide. The titles have the years, and after them of when the plan is.
 * Undefined where the table is not dated or three slides have no room for it.
 */
export function datedTable(
  heading: string,
  table: Table,
  basis?: PlanBasis,
  now = 0,
): DatedTable | undefined {
  const { columns, rows } = table;
  if (rows.some(([first = ""]) => dateOf(first) === undefined)) return undefined;
  const shown = columns.flatMap((_, c) => (c > 0 && isPeople(rows.map((row) => row[c] ?? "")) ? [] : [c]));
  const after = (part: Rows): string => {
    if (basis === undefined) return "";
    return ` ${part.some(([first = ""]) => (dateOf(first) ?? now) < now) ? basis.passed : basis.title}`;
  };
  const room = MAX_WORDS - countWords(`${heading} 2000${after(rows)}`);
  const made = [(cell: string) => cell, withoutFirst, withoutArticles].flatMap((write) => {
    const parts = split(
      rows.map((row) => shown.map((c) => write(row[c] ?? ""))),
      room,
    );
    return parts === undefined ? [] : [parts];
  });
  const [best] = made.toSorted((a, b) => a.length - b.length);
  if (best === undefined) return undefined;
  const titles = best.map((part) => `${heading} ${yearsOf(part)}${after(part)}`);
  const alike = new Set(titles).size < titles.length;
  let from = 0;
  const slides = best.map((part, i) => {
    const of = rows.slice(from, (from += part.length));
    return { title: `${titles[i]}${alike ? ` (${i + 1}/${best.length})` : ""}`, rows: part, of };
  });
  const fits = slides.every(
    ({ title, rows: part }) => countWords(title) + tableWords(part.flat()) <= MAX_WORDS,
  );
  return fits ? { columns: shown, slides } : undefined;
}

/** One part, two or three, cut where the year ends rather than elsewhere, and evenly. */
function split(rows: Rows, room: number): readonly Rows[] | undefined {
  const fits = (part: Rows): boolean => part.length <= MOST_ROWS && tableWords(part.flat()) <= room;
  const inYear = (at: number): number =>
    yearOf(rows[at]?.[0] ?? "") === yearOf(rows[at - 1]?.[0] ?? "") ? 1 : 0;
  const places = rows.map((_, at) => at).slice(1);
  const choices = [
    [],
    ...places.map((at) => [at]),
    ...places.flatMap((a) => places.filter((b) => b > a).map((b) => [a, b])),
  ];
  const found = choices
    .map((cuts) => ({
      parts: [0, ...cuts].map((from, i) => rows.slice(from, cuts[i])),
      torn: cuts.reduce((n, at) => n + inYear(at), 0),
    }))
    .filter(({ parts }) => parts.every(fits))
    .toSorted(
      (a, b) => a.parts.length - b.parts.length || a.torn - b.torn || longest(a.parts) - longest(b.parts),
    );
  return found[0]?.parts;
}

const longest = (parts: readonly Rows[]): number => Math.max(...parts.map((part) => part.length));

function yearsOf(rows: Rows): string {
  const first = yearOf(rows[0]?.[0] ?? "");
  const last = yearOf(rows.at(-1)?.[0] ?? "");
  return first === last ? `${first}` : `${first}–${last}`;
}

/** "The licence ends" is "Licence ends". */
function withoutFirst(cell: string): string {
  const short = cell.replace(/^(?:the|an?)\s+(?=\p{L})/iu, "");
  return short === cell ? cell : `${short.charAt(0).toUpperCase()}${short.slice(1)}`;
}

const withoutArticles = (cell: string): string =>
  withoutFirst(cell).replaceAll(/(?<=\s)the\s+(?=\p{L})/gu, "");
