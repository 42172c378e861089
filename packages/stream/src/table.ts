/** Rows that a tool returned, such as a query result, with the numbers an answer may state. */
export interface ResultTable {
  /** Unique within a run, such as `result-1a2b3c4d5e6f`. */
  readonly id: string;
  /** The number by which the answer cites it, as `[3]`, counted together with citations; absent if it is not cited. */
  readonly number?: string;
  readonly title?: string;
  readonly columns: readonly string[];
  /** At most 500; each has one cell a column. */
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** Rows there are in all, where that is more than are carried here. */
  readonly total?: number;
  /** The statement that produced the rows. */
  readonly query?: string;
  /** Name of the data source, such as a CSV file. */
  readonly source?: string;
}
