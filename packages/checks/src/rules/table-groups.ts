import type { Claim } from "../claim.ts";
import { numberColumns, type Column, type Table } from "../evidence/table.ts";
import { foldedWords, memoize } from "../text/fold.ts";
import type { Figure } from "../text/numbers.ts";
import { isComparable } from "../text/units.ts";
import { emitPairs, WITHOUT_SUM, type Emit, type Operation, type Space } from "./arithmetic.ts";

/** Values of a column by which rows are grouped, and rows that are compared pair by pair. */
const MAX_VALUES = 12;
const MAX_PAIRED_ROWS = 60;
const WITHOUT_RATIOS: readonly Operation[] = ["sum", "ratio", "share"];

/**
 * Arithmetic with the rows of a result that belong together, and rates such as falls per 1,000 days.
 * @param mayUse whether the sentence may compute with the result without naming such a group
 */
export function tableGroups(figure: Figure, claim: Claim, table: Table, mayUse: boolean): readonly Space[] {
  const columns = numberColumns(table);
  const groups = memoize(groupsByTable, table, groupsOf);
  const named = groups.filter((group) => isNamed(group, claim));
  const rates = perNumbers(claim.text).map(({ value }) => value);
  const rows = claim.namedRows.get(table) ?? [];
  const spaces: Space[] = [
    {
      name: `shares of named rows, ${table.id}`,
      weight: 0.05,
      fill: (emit) => fillShares(rows, columns, emit),
    },
    {
      name: `groups named, ${table.id}`,
      weight: 0.1,
      fill: (emit) => fillGroups(figure, named, columns, table.rowCount, emit),
    },
  ];
  if (!mayUse) return spaces;
  return [
    ...spaces,
    {
      name: `columns named, ${table.id}`,
      weight: 0.05,
      fill: (emit) => fillNamedColumns(figure, claim, columns, rows, emit),
    },
    {
      name: `series of ${table.id}`,
      weight: 0.1,
      fill: (emit) => fillSeries(table, claim, columns, emit),
    },
    {
      name: `all of ${table.id}`,
      weight: 0.05,
      fill: (emit) => fillGrandTotal(figure, columns, emit),
    },
    {
      name: `named rows and their growth, ${table.id}`,
      weight: 0.1,
      fill: (emit) => fillGrowth(table, rows, columns, emit),
    },
    {
      name: `since the row before, ${table.id}`,
      weight: 0.05,
      fill: (emit) => fillSincePrevious(table, rows, columns, emit),
    },
    {
      name: `rates of ${table.id}`,
      weight: 0.1,
      fill: (emit) => fillRates(rates, columns, rows, emit),
    },
    {
      name: `rows that differ in one label, ${table.id}`,
      weight: 0.3,
      fill: (emit) => fillPaired(table, columns, claim.namedRows.get(table), emit),
    },
    {
      name: `totals in other units, ${table.id}`,
      weight: 0.05,
      fill: (emit) => fillTotals(figure, columns, emit),
    },
    {
      name: `groups of ${table.id}`,
      weight: named.length > 0 ? 1 : 0.6,
      fill: (emit) => fillGroups(figure, groups, columns, table.rowCount, emit),
    },
  ];
}

interface RowGroup {
  readonly column: string;
  readonly value: string;
  readonly rows: readonly number[];
}

/** All figures of an answer are compared with the same results. */
const groupsByTable = new WeakMap<Table, readonly RowGroup[]>();

/** Rows with the same text in a column in which some text repeats. */
function groupsOf({ rowTexts, columns }: Table): readonly RowGroup[] {
  return columns.flatMap((column, index) => {
    const byValue = new Map<string, number[]>();
    for (const [row, texts] of rowTexts.entries()) {
      const text = texts[index];
      if (text === undefined) return [];
      const known = byValue.get(text);
      if (known === undefined) byValue.set(text, [row]);
      else known.push(row);
    }
    if (byValue.size > MAX_VALUES || byValue.size === rowTexts.length) return [];
    return [...byValue].map(([value, rows]) => ({
      column: foldedWords(column.name.replaceAll("_", " ")),
      value,
      rows,
    }));
  });
}

/** By its value; by its column, such as `accepted`, where the values are `yes` and `no`. */
function isNamed({ column, value }: RowGroup, { words }: Claim): boolean {
  const isTruth = /^(?:yes|no|true|false|ja|nein|oui|non|[yntf01])$/.test(value);
  const stem = column.length > 6 ? column.slice(0, -2) : column;
  return isTruth ? words.includes(` ${stem}`) : words.includes(` ${value}`);
}

function fillGroups(
  figure: Figure,
  groups: readonly RowGroup[],
  columns: readonly Column[],
  rowCount: number,
  emit: Emit,
): void {
  for (const { rows } of groups) {
    emit(rows.length, "count");
    emit((rows.length / rowCount) * 100, "share");
    for (const column of columns) {
      const values = rows.flatMap((row) => column.values[row] ?? []);
      if (values.length < 2) continue;
      const sum = values.reduce((total, value) => total + value, 0);
      emit((sum / column.total) * 100, "share");
      for (const factor of factorsTo(figure, column)) {
        emit(sum * factor, "sum");
        emit((sum * factor) / values.length, "average");
        emit((column.total - sum) * factor, "sum");
      }
    }
  }
}

/** The share of the total that each named row has, and all of them together: `54 % of the £132,000 claimed`. */
function fillShares(rows: readonly number[], columns: readonly Column[], emit: Emit): void {
  if (rows.length === 0 || rows.length > MAX_VALUES) return;
  for (const { values, total } of columns) {
    const named = rows.flatMap((row) => values[row] ?? []);
    if (total === 0) continue;
    for (const value of named) emit((value / total) * 100, "share");
    emit((named.reduce((sum, value) => sum + value, 0) / total) * 100, "share");
  }
}

/** The same measure at two times, with a value for each thing. */
interface TwoTimes {
  readonly before: readonly (number | undefined)[];
  readonly after: readonly (number | undefined)[];
}

/**
 * How named things contribute to the growth of all: their part of it (`71 % of the increase`), the growth without
 * them, and how their share of the total changed, in points.
 */
function fillGrowth(table: Table, rows: readonly number[], columns: readonly Column[], emit: Emit): void {
  if (rows.length === 0 || rows.length > MAX_VALUES) return;
  for (const { before, after, things } of timesOf(table, rows, columns)) {
    const [from, to] = [sumOf(before), sumOf(after)];
    const parts = [...things.map((thing) => [thing]), ...(things.length > 1 ? [things] : [])];
    for (const part of parts) {
      const [a, b] = [sumOf(part.map((thing) => before[thing])), sumOf(part.map((thing) => after[thing]))];
      if (a === 0 || b === 0) continue;
      emitPairs(emit, a, b, undefined, WITHOUT_RATIOS);
      emit(((b - a) / (to - from)) * 100, "share");
      emit(Math.abs((to - b) / (from - a) - 1) * 100, "change");
      emit(Math.abs(b / to - a / from) * 100, "difference", "percent");
      for (const share of [a / from, b / to]) emit(share * 100, "share");
    }
  }
}

function sumOf(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** Pairs of columns of two years; without any, rows of two years, where a thing is a label with a row for each year. */
function timesOf(
  table: Table,
  rows: readonly number[],
  columns: readonly Column[],
): readonly (TwoTimes & { readonly things: readonly number[] })[] {
  const inColumns = columns.flatMap((a, index) =>
    columns
      .slice(index + 1)
      .filter((b) => a.year !== undefined && b.year !== undefined)
      .map((b) => ({ before: a.values, after: b.values, things: rows })),
  );
  const years = [...table.rowsOfYear.keys()].sort((a, b) => a - b);
  const [first, last] = [years[0], years.at(-1)];
  if (inColumns.length > 0 || first === undefined || last === undefined || years.length > 3) return inColumns;
  const labels = table.rowTexts.map((texts) => texts.filter((text) => text !== undefined).join(" "));
  const things = [...new Set(labels)];
  if (things.length < 2 || things.length * years.length !== labels.length) return [];
  const named = [...new Set(rows.map((row) => things.indexOf(labels[row] ?? "")))];
  const at = (year: number, { values }: Column): readonly (number | undefined)[] =>
    things.map((thing) => values[table.rowsOfYear.get(year)?.find((row) => labels[row] === thing) ?? -1]);
  return columns.map((column) => ({ before: at(first, column), after: at(last, column), things: named }));
}

/** The change of a named year, quarter or month since the row before it. */
function fillSincePrevious(
  table: Table,
  rows: readonly number[],
  columns: readonly Column[],
  emit: Emit,
): void {
  for (const row of rows.slice(0, MAX_VALUES)) {
    const isDated =
      table.rowDates[row]?.length === 1 ||
      [...table.rowsOfYear.values()].some((of) => of.length === 1 && of.includes(row));
    if (row === 0 || !isDated) continue;
    for (const { values, unit } of columns) {
      const [value, previous] = [values[row], values[row - 1]];
      if (value !== undefined && previous !== undefined)
        emitPairs(emit, value, previous, unit?.dimension === "percent" ? "percent" : undefined, WITHOUT_SUM);
    }
  }
}

/** 1, and the factor that converts the column's unit into that of the figure. */
function factorsTo({ unit }: Figure, column: Column): readonly number[] {
  const from = column.unit;
  if (unit === undefined || from === undefined || !isComparable(unit.dimension, from.dimension)) return [1];
  return unit.factor === from.factor ? [1] : [1, from.factor / unit.factor];
}

/** `91.6 tonnes` of a column in kilograms. */
function fillTotals(figure: Figure, columns: readonly Column[], emit: Emit): void {
  for (const column of columns) {
    const count = column.values.filter((value) => value !== undefined).length;
    for (const factor of factorsTo(figure, column).slice(1)) {
      emit(column.total * factor, "sum");
      emit((column.total * factor) / count, "average");
    }
  }
}

/** The sum of two or more columns that the sentence names, in a named row and in all: `adults and juniors together`. */
function fillNamedColumns(
  figure: Figure,
  { words }: Claim,
  columns: readonly Column[],
  rows: readonly number[],
  emit: Emit,
): void {
  const named = columns.filter((column) => headWords(column).some((word) => words.includes(` ${word}`)));
  const [first] = named;
  if (first === undefined || named.length < 2) return;
  for (const factor of factorsTo(figure, first)) {
    const sums = rows.map((row) => sumOf(named.map(({ values }) => values[row])) * factor);
    for (const sum of sums) emit(sum, "sum");
    emit(sumOf(named.map(({ total }) => total)) * factor, "sum");
    for (const row of rows) {
      const [sum, before] = [row, row - 1].map((one) => sumOf(named.map(({ values }) => values[one])));
      if (row > 0 && sum !== undefined && before !== undefined)
        emitPairs(emit, before, sum, undefined, WITHOUT_RATIOS);
    }
  }
}

/** Folded words of more than three letters. */
function headWords({ name }: Column): readonly string[] {
  return foldedWords(name.replaceAll("_", " "))
    .split(" ")
    .filter((word) => word.length > 3);
}

/**
 * Columns over years, months or days: growth of the only column, of those that the sentence names and of their total,
 * each since the row before and since the first; and in a row the ratio of one named column to another, and its share of
 * the total.
 */
function fillSeries(table: Table, { words, namedRows }: Claim, columns: readonly Column[], emit: Emit): void {
  const last = table.rowCount - 1;
  const isDated = (row: number): boolean =>
    table.rowDates[row]?.length === 1 || [...table.rowsOfYear.values()].some((rows) => rows.includes(row));
  if (last < 1 || ![0, last].every(isDated)) return;
  const rows = namedRows.get(table)?.slice(0, MAX_VALUES) ?? [last];
  const isShared = (word: string): boolean => columns.every((column) => headWords(column).includes(word));
  const named = columns.filter(
    (column) =>
      columns.length === 1 || headWords(column).some((word) => !isShared(word) && words.includes(` ${word}`)),
  );
  const isAlike = columns.every(({ unit }) => unit?.dimension === columns[0]?.unit?.dimension);
  const total = (row: number): number => sumOf(columns.map(({ values }) => values[row]));
  const all = columns.length > 1 && isAlike ? [total] : [];
  for (const valueAt of [
    ...named.map(
      ({ values }) =>
        (row: number) =>
          values[row],
    ),
    ...all,
  ])
    for (const row of rows)
      for (const base of new Set([row - 1, 0])) {
        const [before, value] = [valueAt(base), valueAt(row)];
        if (base !== row && before !== undefined && value !== undefined)
          emitPairs(emit, before, value, undefined, WITHOUT_RATIOS);
      }
  for (const row of rows)
    for (const one of named) {
      const value = one.values[row];
      if (value === undefined || !isAlike || columns.length === 1) continue;
      emit((value / total(row)) * 100, "share");
      for (const other of named)
        if (other !== one) emitPairs(emit, value, other.values[row] ?? 0, undefined, WITHOUT_SUM);
    }
}

/** The sum of all cells, where the columns are alike: `13,110 in all districts` of a column for each kind of wood. */
function fillGrandTotal(figure: Figure, columns: readonly Column[], emit: Emit): void {
  const [first] = columns;
  const isAlike = ({ unit, scale }: Column): boolean =>
    unit?.dimension === first?.unit?.dimension &&
    unit?.factor === first?.unit?.factor &&
    scale === first?.scale;
  if (first === undefined || columns.length < 2 || !columns.every(isAlike)) return;
  const total = columns.reduce((sum, column) => sum + column.total, 0);
  for (const factor of factorsTo(figure, first)) emit(total * factor, "sum");
}

/** 1,000 of `9.3 per 1,000 bed days`. */
export function perNumbers(text: string): readonly { readonly value: number; readonly end: number }[] {
  const found = text.matchAll(
    /(?<!\p{L})(?:per|je|pro|pour|por|per ogni|par|for every|auf)\s(10{1,6}|10{0,2}[.,\s\u00a0\u202f]000)(?!\d)/giu,
  );
  return [...found].map((match) => ({
    value: Number((match[1] ?? "").replace(/\D/g, "")),
    end: match.index + match[0].length,
  }));
}

function fillRates(
  rates: readonly number[],
  columns: readonly Column[],
  rows: readonly number[],
  emit: Emit,
): void {
  if (rates.length === 0) return;
  for (const [index, a] of columns.entries())
    for (const b of columns.slice(index + 1)) {
      const pairs = [
        [a.total, b.total] as const,
        ...rows.map((row) => [a.values[row], b.values[row]] as const),
      ];
      for (const [x, y] of pairs)
        for (const rate of rates) {
          if (x === undefined || y === undefined || x === 0 || y === 0) continue;
          emit((x / y) * rate, "average");
          emit((y / x) * rate, "average");
        }
    }
}

/** The same thing twice: before and after, this year and last year. */
function fillPaired(
  table: Table,
  columns: readonly Column[],
  named: readonly number[] | undefined,
  emit: Emit,
): void {
  const texts = table.rowTexts.slice(0, MAX_PAIRED_ROWS);
  const width = table.columns.length;
  for (let index = 0; index < width; index++) {
    if (texts.some((row) => row[index] === undefined)) continue;
    const byRest = new Map<string, number[]>();
    for (const [row, cells] of texts.entries()) {
      const rest = cells.filter((cell, at) => at !== index && cell !== undefined).join("\u0001");
      if (rest === "") return;
      byRest.set(rest, [...(byRest.get(rest) ?? []), row]);
    }
    const pairs = [...byRest.values()].filter(
      (rows) => rows.length === 2 && (named === undefined || rows.every((row) => named.includes(row))),
    );
    for (const [first = 0, second = 0] of pairs)
      for (const { values, unit } of columns) {
        const [a, b] = [values[first], values[second]];
        if (a !== undefined && b !== undefined)
          emitPairs(emit, a, b, unit?.dimension === "percent" ? "percent" : undefined, WITHOUT_SUM);
      }
  }
}
