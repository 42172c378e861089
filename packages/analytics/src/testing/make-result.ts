import { columnRole } from "../names/column-role.ts";
import type { Cell, QueryResult } from "../types/result.ts";

/** A result as a data source would give it, for tests: columns as `name TYPE`, rows as they are. */
export function makeResult(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  over: Partial<QueryResult> = {},
): QueryResult {
  return {
    id: "result-1",
    collection: "shop",
    sql: "SELECT 1",
    source: "sales.csv",
    columns: columns.map((column, i) => {
      const [name = "", type = "VARCHAR"] = column.split(/ (?=[A-Z0-9(),]+$)/);
      const values = rows.map((row) => row[i] ?? null);
      const distinct = new Set(values.filter((value) => value !== null)).size;
      return { name, type, role: columnRole({ name, type, values, distinct, rows: rows.length }) };
    }),
    rows,
    truncated: false,
    limited: false,
    total: rows.length,
    ...over,
  };
}
