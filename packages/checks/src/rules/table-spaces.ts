import type { Claim } from "../claim.ts";
import { numberColumns, type Column, type Table } from "../evidence/table.ts";
import { timestamp } from "../text/dates.ts";
import type { Figure } from "../text/numbers.ts";
import { emitPairs, forPairs, WITHOUT_SUM, type Emit, type Operation, type Space } from "./arithmetic.ts";
import { converts, inOwnUnit, type Operand } from "./stated-spaces.ts";
import { tableGroups } from "./table-groups.ts";

/** Rows that are computed with: pairs of more would not be a claim of one sentence. */
const MAX_NAMED_ROWS = 24;
/** Results that one is compared with. */
const MAX_OTHERS = 6;
const MAX_ROWS = 500;

const ONLY_CHANGES: readonly Operation[] = ["ratio", "share", "sum"];
const ONLY_OF_KIN: readonly Operation[] = ["sum", "difference", "change"];
const ONLY_DIFFERENCES: readonly Operation[] = ["sum", "ratio", "share"];

/** Whether the sentence may compute with a result: cited, named by a row, or nothing else is cited. */
function mayUse(table: Table, claim: Claim): boolean {
  if (claim.citedTables.length > 0) return claim.citedTables.includes(table);
  return claim.cited.length === 0 || claim.namedRows.has(table);
}

/** Totals, rows that the sentence names, and the number of rows, of each result. */
export function* tableSpaces(figure: Figure, claim: Claim, own: readonly Operand[]): Generator<Space> {
  for (const table of claim.evidence.tables) {
    if (figure.unit?.dimension === "time" && figure.unit.factor > 2e6)
      yield {
        name: `months of ${table.id}`,
        weight: 0,
        fill: (emit) => emit((coveredMonths(table) * MONTH_SECONDS) / (figure.unit?.factor ?? 1), "count"),
      };
    yield* tableGroups(figure, claim, table, mayUse(table, claim));
    if (figure.unit?.dimension === "time" && figure.isWord && isRowPeriod(table, figure.unit.factor))
      yield { name: `periods of ${table.id}`, weight: 0, fill: (emit) => emit(table.rowCount, "count") };
    if (!mayUse(table, claim)) continue;
    const columns = numberColumns(table);
    yield {
      name: `beside a stated cell of ${table.id}`,
      weight: 0.05,
      fill(emit) {
        for (const row of claim.fullyNamedRows.get(table)?.slice(0, MAX_NAMED_ROWS) ?? [])
          fillBesideStated(row, columns, own, inOwnUnit(figure, emit));
      },
    };
    for (const [rows, weight] of [
      [claim.fullyNamedRows.get(table) ?? [], 0.05],
      [claim.namedRows.get(table) ?? [], 0.15],
    ] as const)
      yield {
        name: `an amount per thing, ${table.id}`,
        weight,
        fill(emit) {
          for (const row of rows.slice(0, MAX_NAMED_ROWS))
            fillAmountPerThing(figure, row, columns, own, emit);
        },
      };
    yield {
      name: `totals of ${table.id}`,
      weight: 0.3,
      fill: (emit) => fillTotals(columns, own, inOwnUnit(figure, emit)),
    };
    yield {
      name: `rows named, ${table.id}`,
      weight: 0.3,
      fill: (emit) => fillNamedRows(table, columns, claim, own, inOwnUnit(figure, emit)),
    };
    for (const other of claim.evidence.tables.slice(0, MAX_OTHERS))
      if (other !== table && mayUse(other, claim))
        yield {
          name: `a row of ${table.id} and ${other.id}`,
          weight: 0.3,
          fill: (emit) => fillSameRow(table, other, claim, inOwnUnit(figure, emit)),
        };
    if (figure.unit === undefined && (claim.namedRows.size === 0 || claim.namedRows.has(table)))
      yield { name: `rows of ${table.id}`, weight: 0, fill: (emit) => emit(table.rowCount, "count") };
  }
}

/** Whether its rows are days, weeks or months one after another. */
function isRowPeriod({ rowDates }: Table, seconds: number): boolean {
  const times = rowDates.flatMap(([date]) => (date?.day === undefined ? [] : [timestamp(date, 2000)]));
  return (
    times.length === rowDates.length &&
    times.length > 1 &&
    times.every((time, at) => at === 0 || Math.abs(time - (times[at - 1] ?? 0) - seconds) < seconds / 10)
  );
}

const MONTH_SECONDS = 2_629_746;

/** From the first to the last month that a result names. */
function coveredMonths({ dates, rowDates }: Table): number {
  const months = [...dates, ...rowDates.flat()].filter(({ month }) => month !== undefined);
  // A title such as "Since March" says nothing beside months of known years.
  const ofYears = months.filter(({ year }) => year !== undefined);
  const numbers = (ofYears.length > 0 ? ofYears : months).map(({ year = 0, month = 0 }) => year * 12 + month);
  return numbers.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers) + 1;
}

/** Arithmetic between rows that the sentence does not name, and between results. */
export function* looseTableSpaces(figure: Figure, claim: Claim): Generator<Space> {
  for (const table of claim.evidence.tables) {
    if (!mayUse(table, claim)) continue;
    if (!claim.namedRows.has(table) && claim.namedRows.size > 0) continue;
    yield {
      name: `columns of ${table.id}`,
      weight: 1,
      fill: (emit) => fillColumns(table, claim, inOwnUnit(figure, emit)),
    };
  }
}

/** A named row in two results with a column of the same name: this year and last year. */
function fillSameRow(table: Table, other: Table, claim: Claim, emit: Emit): void {
  const pairs = table.columns.flatMap((column) => {
    const same = other.columns.find(({ name }) => name === column.name);
    return same === undefined || column.isLabel ? [] : [[column, same] as const];
  });
  for (const row of claim.namedRows.get(table)?.slice(0, MAX_NAMED_ROWS) ?? []) {
    const label = table.labels[row];
    const otherRow = label === undefined ? -1 : other.labels.indexOf(label);
    for (const [a, b] of pairs) {
      const [left, right] = [a.values[row], b.values[otherRow]];
      if (left !== undefined && right !== undefined) emitPairs(emit, left, right, a.unit?.dimension);
    }
  }
  for (const [a, b] of pairs) emitPairs(emit, a.total, b.total, a.unit?.dimension);
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

function numbersOf(column: Column): readonly number[] {
  return column.values.filter(isNumber);
}

function fillTotals(columns: readonly Column[], own: readonly Operand[], emit: Emit): void {
  for (const column of columns) {
    for (const { value } of own) if (column.total !== 0) emit((value / column.total) * 100, "share");
    const dimension = column.unit?.dimension === "percent" ? "percent" : undefined;
    emit(column.total, "sum", dimension);
    // Milliseconds in seconds: `emit` takes times and bytes in seconds and bytes.
    if (column.unit !== undefined && column.unit.factor !== 1 && converts(column.unit.dimension))
      emit(column.total * column.unit.factor, "sum", column.unit.dimension);
    emit(column.total / numbersOf(column).length, "average", dimension);
    for (const other of columns)
      if (other !== column && other.total !== 0) emit(column.total / other.total, "average");
    for (const other of columns)
      if (other !== column && areKin(column, other))
        emitPairs(emit, column.total, other.total, dimension, ONLY_CHANGES);
  }
}

function fillNamedRows(
  table: Table,
  columns: readonly Column[],
  claim: Claim,
  own: readonly Operand[],
  emit: Emit,
): void {
  const rows = (claim.namedRows.get(table) ?? []).slice(0, MAX_NAMED_ROWS);
  for (const column of columns) {
    const all = numbersOf(column);
    const named = rows.map((row) => column.values[row]).filter(isNumber);
    fillNamedValues(named, column.total, emit);
    for (const value of named) fillWithStated(value, column.total, own, emit);
    fillNearStated(all, column.total, own, emit);
    const [only] = named;
    if (named.length === 1 && only !== undefined)
      for (const value of all) if (value !== only) emitPairs(emit, value, only, undefined, ONLY_DIFFERENCES);
  }
  for (const row of rows) fillRow(row, columns, emit);
  const money = moneyOf(columns);
  const all = sumOf(money.map(({ total, scale = 1 }) => total * scale));
  if (money.length > 1 && all !== 0)
    for (const row of rows) emit((sumInRow(money, row) / all) * 100, "share");
  if (rows.length > 1)
    forPairs(columns, (a, b) => {
      if (areKin(a, b)) emitPairs(emit, sumOfRows(a, rows), sumOfRows(b, rows));
    });
}

/** Columns of money: with a currency, or a scale such as that of `staff_keur`. */
function moneyOf(columns: readonly Column[]): readonly Column[] {
  return columns.filter(
    ({ unit, scale }) =>
      unit?.dimension.startsWith("currency:") === true || (unit === undefined && scale !== undefined),
  );
}

/** Amounts of a row together, such as staff and material. */
function sumInRow(columns: readonly Column[], row: number): number {
  return sumOf(columns.map(({ values, scale = 1 }) => (values[row] ?? 0) * scale));
}

function sumOfRows({ values }: Column, rows: readonly number[]): number {
  return sumOf(rows.map((row) => values[row]).filter(isNumber));
}

/** A stated cell and the others of its row, whatever the columns are: `62 left, 28 below the reorder level`. */
function fillBesideStated(
  row: number,
  columns: readonly Column[],
  own: readonly Operand[],
  emit: Emit,
): void {
  const cells = columns.flatMap(({ values }) => values[row] ?? []);
  for (const stated of cells.filter((value) => own.some((operand) => operand.value === value)))
    for (const other of cells) {
      if (other === stated) continue;
      emitPairs(emit, stated, other, undefined, WITHOUT_SUM);
      emit(stated * other, "product");
    }
}

/**
 * `EUR 1,508 per unit` of the columns `revenue_eur` and `units`, `9.0 litres per kilometre` of `litres` and `km`, and
 * a stated rate times a cell: `at EUR 9.80 per kilowatt, EUR 31,360 a year`.
 */
function fillAmountPerThing(
  { unit }: Figure,
  row: number,
  columns: readonly Column[],
  own: readonly Operand[],
  emit: Emit,
): void {
  if (unit === undefined) return;
  const amounts = unit.dimension.startsWith("currency:") ? moneyOf(columns) : [];
  for (const { values, unit: other, scale } of columns) {
    const things = values[row];
    if (other !== undefined || scale !== undefined || things === undefined || things < 2) continue;
    if (amounts.length > 0 && Number.isInteger(things))
      for (const amount of [sumInRow(amounts, row), ...amounts.map((one) => sumInRow([one], row))])
        emit(amount / things, "average", unit.dimension);
  }
  for (const amount of columns) {
    if (amount.unit !== undefined && amount.unit.dimension !== unit.dimension) continue;
    const factor = (amount.unit?.factor ?? unit.factor) / unit.factor;
    for (const count of columns) {
      const [total, things] = [amount.values[row], count.values[row]];
      if (count === amount || total === undefined || things === undefined || things < 2) continue;
      const isThing = count.unit === undefined ? Number.isInteger(things) : amount.unit !== undefined;
      if (isThing && count.unit?.dimension !== unit.dimension)
        emit((total * factor) / things, "average", unit.dimension);
    }
  }
  for (const { values, unit: other } of columns)
    for (const { value, dimension } of own)
      if (dimension === unit.dimension && other?.dimension !== dimension)
        emit(value * (values[row] ?? 0), "product", dimension);
}

function fillNamedValues(named: readonly number[], total: number, emit: Emit): void {
  if (named.length < 2) return;
  const sum = named.reduce((all, value) => all + value, 0);
  if (named.length > 2 && named.length < 8) for (const value of named) emit(sum - value, "sum");
  emit(sum, "sum");
  emit(sum / named.length, "average");
  emit((sum / total) * 100, "share");
  forPairs(named, (a, b) => emitPairs(emit, a, b, undefined, named.length > 2 ? [] : WITHOUT_SUM));
}

function fillWithStated(value: number, total: number, own: readonly Operand[], emit: Emit): void {
  emit((value / total) * 100, "share");
  for (const operand of own) {
    if (operand.dimension === "percent") emit((value * operand.value) / 100, "percent-of");
    if (operand.value !== value) emitPairs(emit, value, operand.value);
  }
}

/** A stated figure may be the rounded form of a cell, which is what was computed with. */
function fillNearStated(all: readonly number[], total: number, own: readonly Operand[], emit: Emit): void {
  for (const operand of own)
    for (const value of all) {
      if (Math.abs(operand.value - value) > Math.abs(value) * 0.02) continue;
      emit((value / total) * 100, "share");
      for (const other of all) if (other !== value) emitPairs(emit, value, other, undefined, WITHOUT_SUM);
    }
}

/** The sum of a row's columns that are alike: `q1_eur`, `q2_eur`, ... */
function fillRowSum(row: number, columns: readonly Column[], emit: Emit): void {
  const [first] = columns;
  if (first === undefined || columns.length < 3) return;
  const alike = columns.filter((column) => column === first || areKin(first, column));
  if (alike.length >= 3) emit(sumOf(alike.map(({ values }) => values[row]).filter(isNumber)), "sum");
}

/** Across the columns of one row; sums and changes only where the columns' names share a word. */
function fillRow(row: number, columns: readonly Column[], emit: Emit): void {
  fillRowSum(row, columns, emit);
  forPairs(columns, (a, b) => {
    const [left, right] = [a.values[row], b.values[row]];
    if (left === undefined || right === undefined) return;
    const kin = areKin(a, b);
    emitPairs(emit, left, right, undefined, kin ? [] : ONLY_OF_KIN);
    // An amount per thing: revenue by orders.
    if (kin || left === 0 || right === 0) return;
    emit(left / right, "average", a.unit?.dimension);
    emit(right / left, "average", b.unit?.dimension);
  });
}

function areKin(a: Column, b: Column): boolean {
  if (a.year !== undefined && b.year !== undefined) return true;
  const words = wordsOf(b);
  return wordsOf(a).some((word) => words.includes(word));
}

function wordsOf({ name }: Column): readonly string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
}

function fillColumns(table: Table, claim: Claim, emit: Emit): void {
  const rows = claim.namedRows.get(table) ?? [];
  const columns = numberColumns(table);
  for (const column of columns) {
    const all = numbersOf(column).slice(0, MAX_ROWS);
    if (rows.length === 0) {
      for (const [index, value] of all.entries()) {
        emit((value / column.total) * 100, "share");
        const previous = all[index - 1];
        if (previous !== undefined) emitPairs(emit, value, previous, undefined, ONLY_CHANGES);
      }
    }
    const dimension = column.unit?.dimension === "percent" ? "percent" : undefined;
    for (const count of rows.length === 0 ? [3, 6] : []) {
      if (all.length <= count) continue;
      for (const part of [all.slice(0, count), all.slice(-count)]) {
        emit(sumOf(part), "sum", dimension);
        emit(sumOf(part) / count, "average", dimension);
      }
    }
    if (all.length >= 4) {
      const half = all.length >> 1;
      emit(sumOf(all.slice(0, half)), "sum");
      emit(sumOf(all.slice(-half)), "sum");
      // Quarters of a year of months.
      if (all.length === 12) for (let at = 0; at < 12; at += 3) emit(sumOf(all.slice(at, at + 3)), "sum");
    }
  }
  if (rows.length === 0)
    for (let row = 0; row < Math.min(table.rowDates.length, MAX_ROWS); row++) fillRow(row, columns, emit);
  forPairs(columns, (a, b) => emitPairs(emit, a.total, b.total));
  fillAcross(table, claim, emit);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Between the named rows of two results. */
function fillAcross(table: Table, claim: Claim, emit: Emit): void {
  const rows = claim.namedRows.get(table)?.slice(0, MAX_NAMED_ROWS) ?? [];
  for (const [other, otherRows] of claim.namedRows) {
    if (other === table || rows.length === 0) continue;
    const others = other.cells
      .filter(({ row }) => otherRows.slice(0, MAX_NAMED_ROWS).includes(row))
      .slice(0, 60);
    for (const cell of table.cells.filter(({ row }) => rows.includes(row)).slice(0, 60))
      for (const { value } of others) emitPairs(emit, cell.value, value);
  }
}
