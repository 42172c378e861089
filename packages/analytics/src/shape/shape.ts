import { oneLine } from "../names/one-line.ts";
import { toNumber } from "../names/format-number.ts";
import { periodLabels } from "../names/periods.ts";
import type { Cell, QueryResult, ResultColumn } from "../types/result.ts";

/** A measure of a result, with its number in every row. */
export interface Measure {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The values as the engine gave them, with digits a double has no room for; absent where they were made here. */
  readonly cells?: readonly Cell[];
  /** Where the name does not carry it. */
  readonly unit?: string;
}

/** A grouping column, with its label in every row. `keys` order in time for a date. */
export interface Dimension {
  readonly name: string;
  readonly kind: "date" | "category";
  /** Where it stands in the result: the first one asked for is the axis. */
  readonly column: number;
  readonly labels: readonly string[];
  readonly keys: readonly (string | number)[];
  /** Its columns, where it is made of several: year and quarter. */
  readonly parts?: readonly string[];
}

/** What can be drawn or said of a result: by time, by category, how much. Ids and constants left out. */
export interface Shape {
  readonly time: Dimension | undefined;
  /** Other columns of time, such as the hour beside the weekday. */
  readonly otherTimes: readonly Dimension[];
  readonly categories: readonly Dimension[];
  readonly measures: readonly Measure[];
  readonly rows: number;
  /** The rows are all there are, so they add up to a total. */
  readonly whole: boolean;
  /** The smallest first was asked for: the statement orders and the first measure rises. */
  readonly rising: boolean;
}

const EMPTY = "(none)";

/** An `ORDER BY` with nothing falling in it or after it. */
const ORDERED_UP = /\border\s+by\b(?![\s\S]*\b(?:order\s+by|desc)\b)/i;

export function shapeOf(result: QueryResult): Shape {
  const column = (index: number): readonly Cell[] => result.rows.map((row) => row[index] ?? null);
  const pick = (role: ResultColumn["role"]) =>
    result.columns.map((info, index) => ({ info, index })).filter(({ info }) => info.role === role);
  const numbers = pick("measure");
  const counted =
    pick("date").length + pick("category").length === 0 ? countingColumn(result, numbers) : undefined;
  const dates = [...(counted === undefined ? [] : [counted]), ...pick("date")].map(({ info, index }) => ({
    name: info.name,
    column: index,
    values: column(index),
  }));
  const measures = numbers
    .filter((one) => one !== counted)
    .map(({ info, index }) => measureOf(result, info, index));
  const time = timeOf(dates);
  return {
    time,
    otherTimes: dates
      .filter(({ name }) => name !== time?.name && time?.parts?.includes(name) !== true)
      .map(dateDimension),
    categories: pick("category").map(({ info, index }) => categoryDimension(info.name, index, column(index))),
    measures,
    rows: result.rows.length,
    whole: !result.limited && !result.truncated,
    rising: ORDERED_UP.test(result.sql) && rises(measures[0]?.values ?? []),
  };
}

export function measureOf(result: QueryResult, { name, unit }: ResultColumn, index: number): Measure {
  const cells = result.rows.map((row) => row[index] ?? null);
  return {
    name,
    values: cells.map((cell) => toNumber(cell) ?? null),
    cells,
    ...(unit === undefined ? {} : { unit }),
  };
}

export function categoryDimension(name: string, column: number, cells: readonly Cell[]): Dimension {
  const keys = cells.map((cell) => (cell === null || cell === "" ? EMPTY : String(cell)));
  return { name, kind: "category", column, labels: keys.map((key) => oneLine(key)), keys };
}

export function dateDimension({ name, column, values }: DateColumn): Dimension {
  const keys = values.map((value) => (typeof value === "number" ? value : String(value ?? "")));
  return { name, kind: "date", column, labels: periodLabels(values), keys };
}

const INTEGER = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/;
const MIN_COUNTED = 3;

/**
 * The first of several number columns, where it numbers the rows without gaps or holds years: hours, weekdays
 * and years are dimensions under any name.
 */
function countingColumn<C extends { readonly index: number; readonly info: ResultColumn }>(
  { rows }: QueryResult,
  numbers: readonly C[],
): C | undefined {
  const [first, ...others] = numbers;
  if (first === undefined || others.length === 0 || first.index !== 0) return undefined;
  if (!INTEGER.test(first.info.type) || rows.length < MIN_COUNTED) return undefined;
  const values = rows.map((row) => Number(row[0] ?? Number.NaN)).toSorted((a, b) => a - b);
  if (new Set(values).size < values.length || !values.every(Number.isInteger)) return undefined;
  const [least = 0, most = 0] = [values[0], values.at(-1)];
  const isGapless = most - least === values.length - 1 && least >= 0 && least <= 1;
  return isGapless || (least >= 1900 && most <= 2100) ? first : undefined;
}

function rises(values: readonly (number | null)[]): boolean {
  const numbers = values.filter((value) => value !== null);
  const [first = 0] = numbers;
  return numbers.every((value, i) => value >= (numbers[i - 1] ?? value)) && (numbers.at(-1) ?? first) > first;
}

interface DateColumn {
  readonly name: string;
  readonly column: number;
  readonly values: readonly Cell[];
}

/** Year and quarter in two columns are one time; any other second date column is a time of its own. */
function timeOf(dates: readonly DateColumn[]): Dimension | undefined {
  const [first, ...others] = dates;
  if (first === undefined) return undefined;
  const year = dates.find((date) => /year|jahr/i.test(date.name));
  const within = dates.find((date) => date !== year && /quarter|qtr|month|week/i.test(date.name));
  if (others.length > 0 && year !== undefined && within !== undefined && within.values.every(isSmallNumber)) {
    const quarter = /quarter|qtr/i.test(within.name);
    const labels = year.values.map((value, row) => {
      const part = String(within.values[row]);
      return quarter ? `${String(value)}-Q${part}` : `${String(value)}-${part.padStart(2, "0")}`;
    });
    const parts = [year.name, within.name];
    return { name: within.name, kind: "date", column: within.column, labels, keys: labels, parts };
  }
  return dateDimension(first);
}

function isSmallNumber(value: Cell): boolean {
  return typeof value === "number" && value >= 0 && value <= 53;
}
