import { isoOf } from "./dated.ts";
import { countWords, MAX_WORDS, tableWords } from "./in-brief.ts";
import { ratedTable } from "./rated-table.ts";
import type { Table } from "./read-briefing.ts";
import { isPeople } from "./table-plan.ts";

/** Slides of a long table, each with its title. */
export interface CompactTable {
  readonly columns: readonly string[];
  readonly slides: readonly { readonly title: string; readonly rows: readonly (readonly string[])[] }[];
}

const MOST_ROWS = 10;
const MIN_ROWS = 4;

/**
 * A table too long for two slides, on two: dates as numbers and no header over them, or the gravest of
 * rated rows. Rows that are left for the notes are the longest, or the least grave. Undefined where the
 * table is neither dated nor rated, or too few rows would be left.
 */
export function compactTable(heading: string, table: Table): CompactTable | undefined {
  return datedTable(heading, table) ?? gravest(heading, table);
}

function datedTable(heading: string, { columns, rows }: Table): CompactTable | undefined {
  const shown = withoutPeople({ columns, rows }).slice(1);
  const dated = rows.flatMap((row) => {
    const date = isoOf(row[0] ?? "");
    return date === undefined ? [] : [[date, ...shown.map((c) => row[c] ?? "")]];
  });
  if (dated.length < rows.length) return undefined;
  // `Timeline 2027–2028`
  const room = MAX_WORDS - countWords(heading) - 1;
  return fewestSlides(dated, withoutLongest, (left) => {
    const slides = halves(left, room, sameYear);
    const titles = (slides ?? []).map((part) => `${heading} ${yearsOf(part)}`);
    const alike = new Set(titles).size < titles.length;
    const parts = alike ? halves(left, room - 1, sameYear) : slides;
    return (
      parts && {
        columns: ["", ...shown.map(() => "")],
        slides: parts.map((part, i) => ({
          title: `${heading} ${yearsOf(part)}${alike ? ` (${i + 1}/${parts.length})` : ""}`,
          rows: part,
        })),
      }
    );
  });
}

/** Cells as they are, else as headlines are written, where that takes fewer slides; else fewer rows. */
function fewestSlides(
  rows: Rows,
  fewer: (rows: Rows) => Rows,
  make: (rows: Rows) => CompactTable | undefined,
): CompactTable | undefined {
  const made = [(cell: string) => cell, withoutFirst, withoutArticles].map((write) =>
    make(rows.map((row) => row.map(write))),
  );
  const best = made
    .filter((one) => one !== undefined)
    .toSorted((a, b) => a.slides.length - b.slides.length)[0];
  let left: Rows = rows.map((row) => row.map(withoutArticles));
  let found = best;
  while (found === undefined && left.length > MIN_ROWS) {
    left = fewer(left);
    found = make(left);
  }
  return found;
}

const withoutPeople = ({ columns, rows }: Pick<Table, "columns" | "rows">): readonly number[] =>
  columns.map((_, c) => c).filter((c) => c === 0 || !isPeople(rows.map((row) => row[c] ?? "")));

type Row = readonly string[];
type Rows = readonly Row[];

/** One slide or two, cut between rows that do not belong together rather than between others. */
function halves(
  rows: Rows,
  room: number,
  together: (a: Row, b: Row) => boolean,
): readonly Rows[] | undefined {
  const fits = (part: Rows): boolean => part.length <= MOST_ROWS && tableWords(part.flat()) <= room;
  if (fits(rows)) return [rows];
  const cuts = rows
    .map((_, at) => at)
    .filter((at) => at > 0 && fits(rows.slice(0, at)) && fits(rows.slice(at)));
  const apart = (at: number): number => (together(rows[at] ?? [], rows[at - 1] ?? []) ? 1 : 0);
  const uneven = (at: number): number => Math.abs(rows.length - 2 * at);
  const [cut] = cuts.toSorted((a, b) => apart(a) - apart(b) || uneven(a) - uneven(b));
  return cut === undefined ? undefined : [rows.slice(0, cut), rows.slice(cut)];
}

const sameYear = (a: Row, b: Row): boolean => yearOf(a) === yearOf(b);

const yearOf = (row: readonly string[] | undefined): string => (row?.[0] ?? "").slice(0, 4);

function yearsOf(rows: Rows): string {
  const first = yearOf(rows[0]);
  const last = yearOf(rows.at(-1));
  return first === last ? first : `${first}–${last}`;
}

function withoutLongest(rows: Rows): Rows {
  const most = Math.max(...rows.map(tableWords));
  const at = rows.findLastIndex((row) => tableWords(row) === most);
  return rows.filter((_, i) => i !== at);
}

function gravest(heading: string, table: Table): CompactTable | undefined {
  const rated = ratedTable(table);
  if (rated === undefined || !rated.ordered) return undefined;
  const shown = withoutPeople(rated);
  const rows = rated.rows.map((row) => shown.map((c) => row[c] ?? ""));
  const plural = /^\p{L}+s$/u.test(heading) ? heading.toLowerCase() : undefined;
  const titles =
    plural === undefined
      ? [`${heading} (1/2)`, `${heading} (2/2)`]
      : [`Most serious ${plural}`, `Further ${plural}`];
  const columns = shown.map((c) => {
    const name = rated.columns[c] ?? "";
    return c === 0 && isOneOf(name, heading) ? "" : name;
  });
  const room = MAX_WORDS - Math.max(...titles.map(countWords)) - tableWords(columns);
  const one = MAX_WORDS - countWords(heading) - tableWords(columns);
  const dropLast = (left: Rows): Rows => left.slice(0, -1);
  return fewestSlides(rows, dropLast, (left) => {
    if (left.length <= MOST_ROWS && tableWords(left.flat()) <= one)
      return { columns, slides: [{ title: heading, rows: left }] };
    const parts = halves(left, room, () => true);
    return (
      parts && { columns, slides: parts.map((part, i) => ({ title: titles[i] ?? heading, rows: part })) }
    );
  });
}

/** Goal, of Goals: the title says it already. */
export const isOneOf = (name: string, heading: string): boolean =>
  name !== "" && heading.toLowerCase() === `${name.toLowerCase()}s`;

/** "The licence ends" is "Licence ends". */
function withoutFirst(cell: string): string {
  const short = cell.replace(/^(?:the|an?)\s+(?=\p{L})/iu, "");
  return short === cell ? cell : `${short.charAt(0).toUpperCase()}${short.slice(1)}`;
}

const withoutArticles = (cell: string): string =>
  withoutFirst(cell).replaceAll(/(?<=\s)the\s+(?=\p{L})/gu, "");
