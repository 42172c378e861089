import { tableWords } from "./in-brief.ts";
import type { Table } from "./read-briefing.ts";

/** A table as its slides show it. */
export interface TablePlan {
  /** Which columns, in order. */
  readonly columns: readonly number[];
  /** The rows of each slide. */
  readonly slides: readonly (readonly (readonly string[])[])[];
  /** Every row and column is on a slide. */
  readonly whole: boolean;
}

/** Words a cell and a head are shown with; the deck shortens longer ones. */
export const HEADER_WORDS = 6;
export const CELL_WORDS = 12;
const MOST_SLIDES = 3;
const MOST_ROWS = 10;
/** Columns that make a table worth one slide, and worth several. */
const LEAST_COLUMNS = { one: 3, several: 2 };
/** Fewer rows make a thin slide. */
const FEW_ROWS = 3;
/** A column in which so many cells say the same sorts the rows and says little of each. */
const DISTINCT = 0.7;
const TOTAL = /^(?:total|sum|summe|gesamt|totalt|all)\b/i;
const PERSON = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’.-]*){1,2}$/u;

/**
 * All rows on as few slides as three, with as many columns as that allows: names of people go first,
 * then what many rows have in common. One slide is better where three columns stand on it, if need be
 * without the total. Undefined where the rows do not fit; `words` are left by the title of one slide,
 * and of several.
 */
export function planTable(
  table: Table,
  words: { readonly one: number; readonly several: number },
): TablePlan | undefined {
  const choices = columnChoices(table);
  const body = table.rows.filter((row) => !TOTAL.test(row[0] ?? ""));
  const plan = (columns: readonly number[], slides: TablePlan["slides"]): TablePlan => ({
    columns,
    slides,
    whole: columns.length === table.columns.length && slides.flat().length === table.rows.length,
  });
  for (const columns of choices) {
    if (columns.length < Math.min(LEAST_COLUMNS.one, table.columns.length)) break;
    for (const rows of [table.rows, body])
      if (rows.length > 0 && split(table, columns, rows, words.one).length === 1)
        return plan(columns, [rows]);
  }
  for (const columns of choices) {
    const slides = evenly(table, columns, words.several);
    if (slides.length < 2 || slides.length > MOST_SLIDES) continue;
    // Two columns on one slide say more than two rows on each of several.
    const narrow = choices.find(
      (few) =>
        slides.length * FEW_ROWS > table.rows.length && split(table, few, body, words.one).length === 1,
    );
    return narrow === undefined ? plan(columns, slides) : plan(narrow, [body]);
  }
  return undefined;
}

/** Whether cells name people. */
export const isPeople = (cells: readonly string[]): boolean => cells.every((cell) => isPerson(cell));

const isPerson = (cell: string): boolean => PERSON.test(cell);

/** All columns, then fewer and fewer of them. The first one names the rows, and numbers cost no words. */
function columnChoices({ columns, rows }: Table): readonly (readonly number[])[] {
  const all = columns.map((_, c) => c);
  const cells = (c: number): readonly string[] =>
    rows.map((row) => row[c] ?? "").filter((cell) => cell !== "");
  const says = (c: number): number => {
    const texts = cells(c);
    if (isPeople(texts)) return 0;
    return new Set(texts).size < DISTINCT * texts.length ? 1 : 2 + (columns.length - c);
  };
  const costly = all.slice(1).filter((c) => tableWords(cells(c)) > 0);
  const steps = [...new Set(costly.map(says))].toSorted((a, b) => a - b);
  const choices = [-1, ...steps].map((step) => all.filter((c) => !costly.includes(c) || says(c) > step));
  return choices.filter((choice) => choice.length >= Math.min(LEAST_COLUMNS.several, columns.length));
}

/** Rows in order, as many a slide as `words` and the height of a slide allow; none where one does not fit. */
function split(
  { columns }: Table,
  shown: readonly number[],
  rows: readonly (readonly string[])[],
  words: number,
): readonly (readonly (readonly string[])[])[] {
  const room = words - tableWords(shown.map((c) => firstWords(columns[c] ?? "", HEADER_WORDS)));
  const slides: (readonly string[])[][] = [];
  let left = -1;
  for (const row of rows) {
    const length = tableWords(shown.map((c) => firstWords(row[c] ?? "", CELL_WORDS)));
    if (length > room) return [];
    if (length > left || (slides.at(-1)?.length ?? MOST_ROWS) === MOST_ROWS) {
      slides.push([]);
      left = room;
    }
    slides.at(-1)?.push(row);
    left -= length;
  }
  return slides;
}

/** The same number of slides, the fullest of them as empty as can be. */
function evenly(table: Table, shown: readonly number[], words: number): TablePlan["slides"] {
  const most = split(table, shown, table.rows, words);
  for (let fewer = 1; fewer < words; fewer += 1) {
    const slides = split(table, shown, table.rows, fewer);
    if (slides.length > 0 && slides.length === most.length) return slides;
  }
  return most;
}

export function firstWords(text: string, most: number): string {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return words.length <= most ? words.join(" ") : `${words.slice(0, most).join(" ")}…`;
}
