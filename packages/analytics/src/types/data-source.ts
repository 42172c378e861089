import type { QueryResult } from "./result.ts";
import type { DataSchema } from "./schema.ts";

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
  /** A result from before. Results are kept within a bound, oldest dropped first. */
  result(id: string): QueryResult | undefined;
  close(): Promise<void>;
}
