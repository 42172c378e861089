import type { Evidence } from "../evidence/evidence.ts";
import { readFacts } from "../text/facts.ts";
import { foldedWords } from "../text/fold.ts";
import { valueOf } from "../text/numbers.ts";
import type { Segment } from "../text/sentences.ts";
import type { Budget } from "./arithmetic.ts";
import { lastDigit } from "./figures.ts";

/** Number of a cell in its row, from 0, and the figures of a sentence before it. */
export function cellAt(text: string, start: number): number {
  return text.slice(0, start).split("|").length - 1;
}

/** Values by row of the answer's table; undefined where it has none. */
type Values = readonly (number | undefined)[];

interface TargetCell {
  readonly value: number;
  /** Half of its last digit. */
  readonly slack: number;
}

const MIN_ROWS = 3;
const MAX_ROWS = 60;
/** Columns of the answer's table that are recomputed, and of a table in which any are. */
const MAX_COLUMNS = 24;
const MAX_WIDTH = 40;
const MAX_SOURCES = 24;
const MAX_CONSTANTS = 80;
/** Part of the rows that a formula has to fit: what it does not fit is rather wrong. */
const MIN_FITTING = 0.7;
/** Expected accidental formulas up to which one counts. */
const BOUND = 0.12;
const SCALES = [1, 100, 1e3, 1e6, 1e-3, 1e-6];

/**
 * Cells of a table in an answer that one formula computes row by row: from two columns of the table itself, of a result
 * or of a table in a passage whose rows have the same labels, or from one column and one figure. The last row may hold
 * the totals. A formula that fits many rows is no accident even where each of its cells has one digit.
 */
export function computedCells(
  block: readonly Segment[],
  { tables, passages, given }: Evidence,
  locale: string | undefined,
  budget: Budget,
): ReadonlyMap<Segment, ReadonlySet<number>> {
  const found = new Map<Segment, Set<number>>();
  const rows = block.filter(({ kind }) => kind === "row");
  if (rows.length < MIN_ROWS || rows.length > MAX_ROWS || budget.candidates <= 0) return found;
  const isWide = ({ text }: Segment): boolean => text.split("|", MAX_WIDTH + 2).length > MAX_WIDTH + 1;
  if (block.some(isWide)) return found;
  const cells = rows.map(({ text }) => text.replace(/^\|/, " ").split("|").slice(0, MAX_COLUMNS));
  const width = Math.max(...cells.map((row) => row.length));
  const targets = Array.from({ length: width }, (_, column) =>
    cells.map((row) => readCell(row[column] ?? "", locale)),
  );
  const labels = cells.map(([first = ""]) => foldedWords(first));
  const own = targets.map((column): Values => column.map((cell) => cell?.value));
  const marks = new Set(block.flatMap((segment) => segment.marks));
  const cited = passages.filter(({ id }) => marks.size === 0 || marks.has(id));
  const sources = [
    ...tables.flatMap((table) =>
      table.columns
        .filter(({ isLabel, values }) => !isLabel && values.some((value) => value !== undefined))
        .map(({ values }) => labels.map((label) => values[rowOf(label, table.labelsByWord)] ?? undefined)),
    ),
    ...cited.flatMap(({ figures }) =>
      [...Map.groupBy(figures, ({ column }) => column).entries()].flatMap(([column, inColumn]) =>
        column === undefined
          ? []
          : [
              labels.map((label) => {
                const cell = inColumn.find(({ row }) => row !== undefined && row.label === label);
                return cell === undefined ? undefined : valueOf(cell);
              }),
            ],
      ),
    ),
  ]
    .filter((values) => values.filter((value) => value !== undefined).length >= MIN_ROWS)
    .map(withTotal);
  budget.candidates -= sources.length * rows.length;
  const constants = [...cited, ...given]
    .flatMap(({ figures }) => figures.filter(({ column, isYear }) => column === undefined && !isYear))
    .map(valueOf);
  const mark = (row: number, column: number): void => {
    const segment = rows[row];
    if (segment === undefined) return;
    const known = found.get(segment);
    if (known === undefined) found.set(segment, new Set([column]));
    else known.add(column);
  };
  for (const [column, target] of targets.entries()) {
    if (budget.candidates <= 0) break;
    if (column === 0 || target.filter((cell) => cell !== undefined).length < MIN_ROWS) continue;
    const others = [...own.filter((_, index) => index > 0 && index !== column), ...sources];
    for (const row of fittingRows(target, others.slice(0, MAX_SOURCES), constants, budget)) mark(row, column);
    if (isTotal(target)) mark(target.length - 1, column);
  }
  return found;
}

/** The one number of a cell. */
function readCell(text: string, locale: string | undefined): TargetCell | undefined {
  // `-6` alone would be read as an option.
  const [, sign = "", unsigned = ""] = /^\s*([-−–+]?)\s*([^]*)$/.exec(text) ?? [];
  const figures = readFacts(unsigned, { language: locale, strict: true }).figures.filter(
    ({ isWord }) => !isWord,
  );
  const [figure] = figures;
  const [reading] = figure?.readings ?? [];
  if (figure === undefined || reading === undefined || figures.length !== 1) return undefined;
  const isNegative = figure.negative || /[-−–]/.test(sign);
  return { value: valueOf(figure) * (isNegative ? -1 : 1), slack: lastDigit(reading, figure) };
}

function rowOf(
  label: string,
  byWord: ReadonlyMap<string, readonly { readonly label: string; readonly row: number }[]>,
): number {
  const [first = ""] = label.split(" ");
  return byWord.get(first)?.find((entry) => entry.label === label)?.row ?? -1;
}

/** With the sum in the last row, where that is a row of the answer only. */
function withTotal(values: Values): Values {
  const known = values.slice(0, -1);
  if (values.at(-1) !== undefined || known.includes(undefined)) return values;
  return [...known, known.reduce((sum: number, value) => sum + (value ?? 0), 0)];
}

/** Whether the last cell is the sum of those above, each of them rounded. */
function isTotal(target: readonly (TargetCell | undefined)[]): boolean {
  const last = target.at(-1);
  const above = target.slice(0, -1).filter((cell) => cell !== undefined);
  if (last === undefined || above.length < 2) return false;
  const sum = above.reduce((total, { value }) => total + value, 0);
  const slack = above.reduce((total, cell) => total + cell.slack, last.slack);
  return Math.abs(sum - last.value) <= slack && slack < Math.abs(last.value) / 20;
}

/** The rows that a formula fits where it fits nearly all of them; of all formulas the one that fits most. */
function fittingRows(
  target: readonly (TargetCell | undefined)[],
  sources: readonly Values[],
  constants: readonly number[],
  budget: Budget,
): readonly number[] {
  let best: readonly number[] = [];
  let tried = 0;
  const cells = target.flatMap((cell, row) => (cell === undefined ? [] : [{ row, ...cell }]));
  const test = (compute: (row: number) => number | undefined): void => {
    const values: number[] = [];
    for (const scale of SCALES) {
      tried++;
      const fits: number[] = [];
      let count = 0;
      for (const [at, cell] of cells.entries()) {
        const value = (values[at] ??= compute(cell.row) ?? Number.NaN);
        if (!Number.isFinite(value)) continue;
        count++;
        // The sign does not matter.
        if (Math.abs(Math.abs(value * scale) - Math.abs(cell.value)) <= cell.slack + 1e-9)
          fits.push(cell.row);
        else if (count - fits.length > 2) break;
      }
      if (fits.length >= MIN_ROWS && fits.length >= count * MIN_FITTING && fits.length > best.length)
        best = fits;
    }
  };
  for (const [index, a] of sources.entries()) {
    for (const [at, b] of sources.entries()) {
      if (at === index) continue;
      const with2 = (operation: (x: number, y: number) => number) => (row: number) =>
        a[row] === undefined || b[row] === undefined ? undefined : operation(a[row], b[row]);
      if (at > index) {
        test(with2((x, y) => x + y));
        test(with2((x, y) => x - y));
        test(with2((x, y) => x * y));
      }
      test(with2((x, y) => x / y));
      test(with2((x, y) => (x - y) / y));
    }
    const known = a.filter((value) => value !== undefined);
    const total = known.reduce((sum, value) => sum + value, 0);
    const sums = [total, total - (known.at(-1) ?? 0), Math.max(...known), known[0] ?? 0];
    for (const constant of new Set([...sums, ...constants.slice(0, MAX_CONSTANTS)])) {
      if (constant === 0) continue;
      const with1 = (operation: (x: number) => number) => (row: number) =>
        a[row] === undefined ? undefined : operation(a[row]);
      test(with1((x) => x - constant));
      test(with1((x) => x / constant));
      test(with1((x) => x * constant));
      test(with1((x) => (x - constant) / constant));
    }
  }
  budget.candidates -= tried;
  const accidents = best.reduce((product, row) => product * window(target[row]), tried);
  return accidents <= BOUND ? best : [];
}

function window(cell: TargetCell | undefined): number {
  if (cell === undefined || cell.value === 0) return 1;
  return Math.min(1, (2 * cell.slack) / Math.abs(cell.value) / Math.LN10);
}
