import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";

import { toCell } from "../adapters/cells.ts";
import { columnRole, isDateType, isNumberType } from "../names/column-role.ts";
import { quoteName } from "../names/quote.ts";
import type { Cell } from "../types/result.ts";
import type { ColumnInfo } from "../types/schema.ts";

/** Above this many rows different values are estimated, not counted. */
const EXACT_ROWS = 2_000_000;
const SAMPLES = 5;
const SAMPLE_LENGTH = 60;

/** Columns counted in one statement; different values are held in memory. */
const COUNTED_COLUMNS = 20;

/** Counts, range and frequent values of every column: some columns at a time for the counts, one for the values. */
export async function describeTable(
  connection: DuckDBConnection,
  table: string,
  rows: number,
): Promise<readonly ColumnInfo[]> {
  const from = quoteName(table);
  const layout = await connection.runAndReadAll(`SELECT * FROM ${from} LIMIT 0`);
  const names = layout.columnNames();
  const types = layout.columnTypes().map(String);
  const select = names.map((name, i) => {
    const column = quoteName(name);
    const ranged = isNumberType(types[i] ?? "") || isDateType(types[i] ?? "");
    return [
      `count(*) - count(${column})`,
      rows <= EXACT_ROWS ? `count(DISTINCT ${column})` : `approx_count_distinct(${column})`,
      ranged ? `min(${column})` : "NULL",
      ranged ? `max(${column})` : "NULL",
    ].join(", ");
  });
  const counts: DuckDBValue[] = [];
  for (let start = 0; start < select.length; start += COUNTED_COLUMNS) {
    const part = select.slice(start, start + COUNTED_COLUMNS).join(", ");
    counts.push(...((await connection.runAndReadAll(`SELECT ${part} FROM ${from}`)).getRows()[0] ?? []));
  }
  const columns: ColumnInfo[] = [];
  for (const [i, name] of names.entries()) {
    const type = types[i] ?? "";
    const [nulls, distinct, min, max] = counts.slice(i * 4, i * 4 + 4).map((value) => toCell(value ?? null));
    const samples = await frequent(connection, from, quoteName(name));
    columns.push({
      name,
      type,
      role: columnRole({ name, type, values: samples, distinct: Number(distinct), rows }),
      nulls: Number(nulls),
      distinct: Number(distinct),
      min: min ?? null,
      max: max ?? null,
      samples,
    });
  }
  return columns;
}

async function frequent(
  connection: DuckDBConnection,
  from: string,
  column: string,
): Promise<readonly Cell[]> {
  const reader = await connection.runAndReadAll(
    `SELECT ${column} FROM ${from} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${SAMPLES}`,
  );
  return reader.getRows().map(([value]) => shorten(toCell(value ?? null)));
}

function shorten(value: Cell): Cell {
  return typeof value === "string" && value.length > SAMPLE_LENGTH
    ? `${value.slice(0, SAMPLE_LENGTH)}…`
    : value;
}
