import type { Figure } from "../text/figure.ts";
import type { Identifier } from "../text/facts.ts";
import { fold, foldedWords, type Span } from "../text/fold.ts";
import { isDelimiterRow } from "../text/sentences.ts";
import { headMeasure, labelMeasure, measureOf, type Measure } from "./measures.ts";

/** A row of a table in a passage. */
export interface PassageRow {
  /** First cell with letters, as folded words; for option lists the option. */
  readonly label: string;
  readonly isOption: boolean;
  /** Its place in a table: number of the table, place in the source, and heads and cells from column 1. */
  readonly inTable?: Span & {
    readonly table: number;
    readonly heads: readonly string[];
    readonly cells: readonly string[];
  };
}

/** A figure of a passage, with its place among the others. */
export interface PassageFigure extends Figure {
  /** Number of the sentence or line. */
  readonly part: number;
  readonly column?: number;
  readonly row?: PassageRow;
  /** Its power of ten is in the head of the table, not next to the number. */
  readonly hasScaleOfHead?: true;
}

/** Of its row, else of the head of its column, else of the cell beside it that names a unit. */
export function measureFor(column: number, { ofRow, ofColumns, ofCell }: RowSpan): Measure | undefined {
  const head = ofColumns?.[column];
  const all = [column > 1 ? ofRow : undefined, head, column > 1 ? ofCell : undefined];
  const own = all.find((one) => one !== undefined && (one.unit !== undefined || one.scale > 1));
  const period = own?.period ?? head?.period ?? ofRow?.period;
  if (own === undefined && period === undefined) return undefined;
  return { scale: 1, ...own, ...(period === undefined ? {} : { period }) };
}

/** A cell with the unit, power of ten and period of its table, where it has none of its own. */
export function measured(figure: Figure, measure: Measure | undefined): Partial<PassageFigure> {
  if (measure === undefined || figure.isYear || figure.isWord) return {};
  const { unit, scale, period, per } = measure;
  const isBare = figure.unit === undefined;
  const isScaled = scale > 1 && figure.scale === 1 && (isBare || figure.unit?.dimension === unit?.dimension);
  return {
    ...(isBare && unit !== undefined ? { unit } : {}),
    ...(isBare && per !== undefined ? { per } : {}),
    ...(isScaled ? { scale, hasScaleOfHead: true } : {}),
    ...(figure.period === undefined && period !== undefined ? { period } : {}),
  };
}

export interface RowSpan {
  readonly start: number;
  readonly end: number;
  /** Places of the bars. */
  readonly cells: readonly number[];
  readonly label?: PassageRow;
  /** By column, from the head. */
  readonly ofColumns?: readonly (Measure | undefined)[];
  /** From its label: `Hand hygiene, %`, `Power (GWh)`. */
  readonly ofRow?: Measure | undefined;
  /** From its cell in a column of units. */
  readonly ofCell?: Measure | undefined;
}

export function rowSpans(
  text: string,
  figures: readonly Figure[],
  identifiers: readonly Identifier[],
): readonly RowSpan[] {
  const spans: RowSpan[] = [];
  let columns = NO_COLUMNS;
  let unitColumn: number | undefined;
  let table = 0;
  const digits = figures.filter(({ isWord }) => !isWord);
  let start = 0;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const end = start + line.length;
    const form = rowForm(lines, index);
    if (form !== undefined) {
      const bars = [...line.matchAll(/\|/g)].map((match) => start + match.index);
      // Without an outer bar the first cell begins with the line.
      const cells = form === "open" ? [start - 1, ...bars] : bars;
      const parts = partsOf(line, form);
      const cell = parts.find((one) => /\p{L}{2}/u.test(one)) ?? "";
      const label = foldedWords(cell);
      const isHeader = form === "open" ? isOpenHeader(lines, index) : isDelimiterRow(lines[index + 1] ?? "");
      const isFirst = rowForm(lines, index - 1) === undefined;
      if (isHeader || isFirst) {
        columns = readColumns(lines, index, form, isHeader);
        unitColumn = findUnitColumn(lines, isHeader ? index + 1 : index);
      }
      spans.push({
        start,
        end,
        cells,
        ofColumns: columns.measures,
        ofRow: labelMeasure(cell),
        ofCell: unitColumn === undefined ? undefined : measureOf((parts[unitColumn] ?? "").trim()),
        ...(isHeader
          ? {}
          : rowLabel(label, line, {
              table,
              start,
              end,
              heads: columns.heads,
              cells: parts.slice(1).map((one) => one.trim()),
            })),
      });
    } else if (line.trim() === "") {
      // The next table has a head of its own, or none.
      columns = NO_COLUMNS;
      unitColumn = undefined;
      table++;
    } else if (/^\s/.test(line)) {
      const label = optionLabel(start, end, digits, identifiers);
      if (label !== undefined) spans.push({ start, end, cells: [], label });
    }
    start = end + 1;
  }
  return spans;
}

interface TableColumns {
  readonly heads: readonly string[];
  /** Unit and scale of each column, counted from 1. */
  readonly measures: readonly (Measure | undefined)[];
}

const NO_COLUMNS: TableColumns = { heads: [], measures: [] };

/**
 * The heads of a table and the units of its columns. Heads that a PDF file breaks into lines of their own are read before the
 * table, and those that are left align with the last columns. What the head of the labels or the caption says, such as
 * `GBP thousand`, goes for all columns where no other head says anything.
 */
function readColumns(
  lines: readonly string[],
  index: number,
  form: "closed" | "open",
  isHeader: boolean,
): TableColumns {
  const heads = isHeader ? partsOf(lines[index] ?? "", form).slice(1) : [];
  const body = lines.slice(isHeader ? index + 1 : index).find((line) => !isDelimiterRow(line)) ?? "";
  const cells = partsOf(body, form).slice(1);
  const before = shortLinesBefore(lines, index, MAX_HEADS);
  if (form === "open")
    while (heads.length < cells.length && before.length > 0) heads.unshift(before.shift() ?? "");
  while (heads.length < cells.length) heads.unshift("");
  const measures = heads.map(headMeasure);
  const isSaid = measures
    .slice(1)
    .some((one) => one !== undefined && (one.unit !== undefined || one.scale > 1));
  const [first] = measures;
  const hasLabels = /\p{L}{2}/u.test(cells[0] ?? "");
  const ofAll = isSaid || !hasLabels ? undefined : (first ?? labelMeasure(before[0] ?? ""));
  return { heads, measures: [undefined, first, ...measures.slice(1).map((one) => one ?? ofAll)] };
}

const MAX_HEADS = 12;
const MAX_HEAD = 60;

/** Lines before a table that may be heads or a caption, the last one first. */
function shortLinesBefore(lines: readonly string[], index: number, max: number): string[] {
  const found: string[] = [];
  for (let at = index - 1; at >= 0 && found.length < max; at--) {
    const line = (lines[at] ?? "").trim();
    if (line === "") continue;
    if (line.length > MAX_HEAD || /[|]|[.!?:;]$/.test(line)) break;
    found.push(line);
  }
  return found;
}

/** The cells of a row, counted from 1. */
function partsOf(line: string, form: "closed" | "open"): readonly string[] {
  return form === "open" ? ["", ...line.split("|")] : line.split("|");
}

/** Rows of a table that are read to find its column of units. */
const MAX_UNIT_ROWS = 40;

/** The column behind the labels in which at least half of the cells are units, and none has a number. */
function findUnitColumn(lines: readonly string[], from: number): number | undefined {
  const rows: (readonly string[])[] = [];
  for (let index = from; index < lines.length && rows.length < MAX_UNIT_ROWS; index++) {
    const form = rowForm(lines, index);
    if (form === undefined) break;
    if (!isDelimiterRow(lines[index] ?? "")) rows.push(partsOf(lines[index] ?? "", form));
  }
  const isUnit = (cell: string | undefined): boolean =>
    cell !== undefined && cell.length <= MAX_UNIT && measureOf(cell.trim())?.unit !== undefined;
  const width = rows[0]?.length ?? 0;
  for (let column = 2; column < width; column++) {
    const cells = rows.map((row) => row[column]);
    if (cells.some((cell) => /\d[\d.,]*\s*$|^\s*\d/.test(cell ?? "") && !isUnit(cell))) continue;
    if (cells.filter(isUnit).length * 2 >= rows.length) return column;
  }
  return undefined;
}

const MAX_UNIT = 24;

/** A row of Markdown has bars around it; `open`: only between its cells, as tables of PDF files are written. */
function rowForm(lines: readonly string[], index: number): "closed" | "open" | undefined {
  const line = (lines[index] ?? "").trim();
  if (line.length > 1 && line.startsWith("|") && line.endsWith("|")) return "closed";
  const isOpen = hasInnerBar(line) && (hasInnerBar(lines[index - 1]) || hasInnerBar(lines[index + 1]));
  return isOpen ? "open" : undefined;
}

function hasInnerBar(line: string | undefined): boolean {
  return line !== undefined && /^\s*[^\s|][^|]*\s\|(?:\s|$)/.test(line);
}

/** The first row, where no cell of it is a number but years. */
function isOpenHeader(lines: readonly string[], index: number): boolean {
  if (hasInnerBar(lines[index - 1])) return false;
  return !(lines[index] ?? "")
    .split("|")
    .some((cell) => /^\s*\p{Sc}?[\d.,]*\d\s?%?\s*$/u.test(cell) && !/^\s*(?:19|20)\d\d\s*$/.test(cell));
}

/** By its first cell with letters, else by an option such as `-9`. */
function rowLabel(
  label: string,
  line: string,
  inTable: NonNullable<PassageRow["inTable"]>,
): { readonly label: PassageRow } | undefined {
  if (label !== "") return { label: { label, isOption: false, inTable } };
  const option = /^\s*\|[\s`*]*(-{1,2}[\p{L}\d][\w-]{0,40})/u.exec(line)?.[1];
  return option === undefined ? undefined : { label: { label: fold(option), isOption: true } };
}

/** A line of a listing such as `  -9   64 MiB  674 MiB  65 MiB`: one option and at least three figures. */
function optionLabel(
  start: number,
  end: number,
  digits: readonly Figure[],
  identifiers: readonly Identifier[],
): PassageRow | undefined {
  const first = firstFrom(identifiers, start);
  const option = identifiers[first];
  if (option === undefined || option.start >= end) return undefined;
  if ((identifiers[first + 1]?.start ?? end) < end) return undefined;
  const third = digits[firstFrom(digits, start) + 2];
  return third === undefined || third.start >= end ? undefined : { label: option.folded, isOption: true };
}

/** Index of the first span that begins at `start` or later. */
function firstFrom(spans: readonly Span[], start: number): number {
  return countWhile(spans.length, (at) => (spans[at]?.start ?? 0) < start);
}

/** How many of these places, which are in order, are before another. */
export function countBefore(places: readonly number[], end: number): number {
  return countWhile(places.length, (at) => (places[at] ?? 0) < end);
}

/** How many of `length` items fulfil a condition that the first ones fulfil, by bisection. */
function countWhile(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
