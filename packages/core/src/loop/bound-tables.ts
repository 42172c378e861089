import type { ResultTable } from "@troupe/stream";

import { MAX_TABLE_ROWS } from "../schemas/response.ts";

/** Characters of one cell that a run keeps. */
const MAX_CELL = 500;
/** Bytes as JSON of the tables in a response. */
const MAX_TABLE_BYTES = 200_000;

/** The tables, first ones first, that fit into a response: 200 kB as JSON. The rows of one that does not fit are halved until it does. */
export function fittingTables(tables: readonly ResultTable[]): readonly ResultTable[] {
  let left = MAX_TABLE_BYTES;
  return tables.flatMap((table) => {
    let fitting = table;
    while (fitting.rows.length > 0 && bytesOf(fitting) > left)
      fitting = firstRows(fitting, Math.floor(fitting.rows.length / 2));
    if (fitting.rows.length === 0 && table.rows.length > 0) return [];
    left -= bytesOf(fitting);
    return [fitting];
  });
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** The table as a run keeps it: at most 500 rows, with cells of at most 500 characters. */
export function bounded(table: ResultTable): ResultTable {
  const { rows, ...rest } = firstRows(table, MAX_TABLE_ROWS);
  const cut = (cell: Cell): Cell =>
    typeof cell === "string" ? cell.slice(0, MAX_CELL).toWellFormed() : cell;
  return { ...rest, rows: rows.map((row) => row.map(cut)) };
}

type Cell = ResultTable["rows"][number][number];

/** The table with at most `max` rows, and `total` for how many there are. */
function firstRows(table: ResultTable, max: number): ResultTable {
  const { rows, total = rows.length } = table;
  return rows.length <= max ? table : { ...table, rows: rows.slice(0, max), total };
}
