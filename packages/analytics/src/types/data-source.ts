import type { QueryResult } from "./result.ts";
import type { DataSchema, Join } from "./schema.ts";
import type { ColumnValues } from "./values.ts";

export interface QueryOptions {
  readonly signal: AbortSignal;
  /** Rows to carry at most. Default 1,000, never above 10,000. */
  readonly maxRows?: number;
}

/** Tables of one collection that can be read and never changed. */
export interface DataSource {
  readonly collection: string;
  /** Throws an `InputError` when the collection is gone. */
  schema(): Promise<DataSchema>;
  /**
   * Runs exactly one SELECT over the tables of the collection. Throws a `QueryError` that names the
   * nearest real tables or columns; rejects with the signal's reason when it aborts.
   */
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /**
   * The values of text columns with few different ones, within a bound. Read once for each state of the
   * tables. Rejects as `query` does.
   */
  values(options: { readonly signal: AbortSignal }): Promise<readonly ColumnValues[]>;
  /**
   * Columns that hold keys of another table, found by their names and confirmed by their values; by their names
   * alone where comparing the values takes too long. Read once for each state of the tables. Rejects as `query` does.
   */
  joins(options: { readonly signal: AbortSignal }): Promise<readonly Join[]>;
  /** A result from before. Results are kept within a bound, oldest dropped first. */
  result(id: string): QueryResult | undefined;
  /** Statements that run or wait end with a `QueryError` (`query.engine`) that says so; none is left after it. */
  close(): Promise<void>;
}
