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
}

/** A grouping column, with its label in every row. `keys` order in time for a date. */
export interface Dimension {
  readonly name: string;
  readonly kind: "date" | "category";
  /** Where it stands in the result: the first one asked for is the axis. */
  readonly column: number;
  readonly labels: readonly string[];
  readonly keys: readonly (string | number)[];
}

/** What can be drawn or said of a result: by time, by category, how much. Ids and constants left out. */
export interface Shape {
  readonly time: Dimension | undefined;
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
  const dates = pick("date").map(({ info, index }) => ({
    name: info.name,
    column: index,
    values: column(index),
  }));
  const measures = pick("measure").map(({ info, index }) => ({
    name: info.name,
    values: column(index).map((cell) => toNumber(cell) ?? null),
    cells: column(index),
  }));
  return {
    time: timeOf(dates),
    categories: pick("category").map(({ info, index }) => {
      const keys = column(index).map((cell) => (cell === null || cell === "" ? EMPTY : String(cell)));
      return {
        name: info.name,
        kind: "category",
        column: index,
        labels: keys.map((key) => oneLine(key)),
        keys,
      };
    }),
    measures,
    rows: result.rows.length,
    whole: !result.limited && !result.truncated,
    rising: ORDERED_UP.test(result.sql) && rises(measures[0]?.values ?? []),
  };
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

/** Year and quarter in two columns are one time; any other second date column is left out. */
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
    return { name: within.name, kind: "date", column: within.column, labels, keys: labels };
  }
  const labels = periodLabels(first.values);
  const keys = first.values.map((value) => (typeof value === "number" ? value : String(value ?? "")));
  return { name: first.name, kind: "date", column: first.column, labels, keys };
}

function isSmallNumber(value: Cell): boolean {
  return typeof value === "number" && value >= 0 && value <= 53;
}
