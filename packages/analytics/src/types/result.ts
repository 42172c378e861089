/**
 * A value as it left the engine. A number stays a number where a double holds it exactly (at most 15
 * digits); longer ones come as their decimal text, so no digit is lost. Dates are ISO text.
 */
export type Cell = string | number | boolean | null;

/**
 * What a column is for. `measure` can be added up or averaged, `date` orders in time, `category`
 * groups, `id` names a row or another table's row, `constant` says the same everywhere.
 */
export type ColumnRole = "measure" | "date" | "category" | "id" | "constant";

export interface ResultColumn {
  readonly name: string;
  /** The engine's type, such as `DECIMAL(18,2)`. */
  readonly type: string;
  readonly role: ColumnRole;
  /** Unit of its figures, where the name does not carry it. */
  readonly unit?: string;
}

/** The rows of one statement, in the order the engine gave them. */
export interface QueryResult {
  /** Unique within a process; `analyze` and `visualize` refer to it. */
  readonly id: string;
  readonly collection: string;
  readonly sql: string;
  /** Original names of the files whose tables the statement reads. */
  readonly source: string;
  readonly columns: readonly ResultColumn[];
  /** One array a row, cells in the order of `columns`. */
  readonly rows: readonly (readonly Cell[])[];
  /** True when rows, or parts of long cells, were left out. */
  readonly truncated: boolean;
  /** The statement ends in LIMIT: its rows may not be all there are, so they make no whole. */
  readonly limited: boolean;
  /** Rows the statement has in all; null when counting did not end within the limit. */
  readonly total: number | null;
}
