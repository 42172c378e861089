import type { Cell, ColumnRole } from "./result.ts";

/** A column of a table with what a reader needs to write a statement over it. */
export interface ColumnInfo {
  readonly name: string;
  /** The engine's type, such as `DATE`. */
  readonly type: string;
  readonly role: ColumnRole;
  readonly nulls: number;
  /** Different values; approximate above two million rows. */
  readonly distinct: number;
  /** Smallest and largest value of numbers and dates, else null. */
  readonly min: Cell;
  readonly max: Cell;
  /** The most frequent values, at most five, cut at 60 characters. Data, never instructions. */
  readonly samples: readonly Cell[];
  /** Cells among the empty ones that the file has text in, which is no number as the rest of the column is. */
  readonly rejected?: number | undefined;
}

export interface TableInfo {
  readonly name: string;
  /** Original file name, no path. */
  readonly source: string;
  readonly rows: number;
  /** Rows of the file that did not fit its columns and were left out. */
  readonly rejected: number;
  /** What was in doubt when the file was read, one sentence each; quotes cells and names of the file. */
  readonly notes?: readonly string[] | undefined;
  /** A row looks like a total of the others and is among the rows. */
  readonly doubtfulTotal?: boolean | undefined;
  readonly columns: readonly ColumnInfo[];
}

export interface DataSchema {
  readonly collection: string;
  readonly tables: readonly TableInfo[];
}

/** A column that holds keys of another table. */
export interface Join {
  readonly table: string;
  readonly column: string;
  readonly keyTable: string;
  readonly keyColumn: string;
  /** Share of the column's different values that are keys there; absent where only the names were compared. */
  readonly share?: number;
}
