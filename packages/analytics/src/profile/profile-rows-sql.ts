import { z } from "zod";

import { isNumberType } from "../names/column-role.ts";
import { toNumber } from "../names/format-number.ts";
import { quoteName } from "../names/quote.ts";
import type { Cell, ResultColumn } from "../types/result.ts";
import type { ColumnProfile } from "./profile.ts";

/** Rows a profile is computed over at most. */
export const SAMPLE_ROWS = 100_000;
const TOP = 5;

/**
 * One aggregate statement for the statistics of all columns over `from`, a table name in quotes or a
 * statement in parentheses. Above 100,000 rows a sample with a fixed seed, so it can be repeated.
 */
export function profileSql(from: string, columns: readonly ResultColumn[], rows: number | null): string {
  const sampled = rows === null || rows > SAMPLE_ROWS;
  const sample = sampled ? ` USING SAMPLE reservoir(${SAMPLE_ROWS} ROWS) REPEATABLE (7)` : "";
  const select = columns.flatMap(({ name, role, type }) => {
    const column = quoteName(name);
    const number = role === "measure" && isNumberType(type);
    const ranged = number || role === "date";
    const quartile = (at: number): string => (number ? `quantile_cont(${column}::DOUBLE, ${at})` : "NULL");
    return [
      `count(*) - count(${column})`,
      `count(DISTINCT ${column})`,
      ranged ? `min(${column})` : "NULL",
      ranged ? `max(${column})` : "NULL",
      number ? `avg(${column})` : "NULL",
      quartile(0.25),
      quartile(0.5),
      quartile(0.75),
      role === "category" || role === "constant" ? topSql(column) : "NULL",
    ];
  });
  const named = select.map((expression, i) => `${expression} AS p${i}`);
  return `SELECT count(*) AS n, ${named.join(", ")} FROM (SELECT * FROM ${from}${sample}) AS profiled`;
}

/** The most frequent values as JSON, the count negated so one ascending order does both. */
function topSql(column: string): string {
  const entries = `map_entries(histogram(${column}::VARCHAR))`;
  const pairs = `list_transform(${entries}, lambda e: {'n': -(e.value::BIGINT), 'v': e.key})`;
  return `to_json(list_slice(list_sort(${pairs}), 1, ${TOP}))`;
}

/** Reads the one row of `profileSql`. */
export function readProfileRow(
  row: readonly Cell[],
  columns: readonly ResultColumn[],
): { readonly rows: number; readonly columns: readonly ColumnProfile[] } {
  const profiles = columns.map(({ name, role }, i): ColumnProfile => {
    const [nulls, distinct, min, max, mean, q1, q2, q3, top] = row.slice(1 + i * 9, 10 + i * 9);
    return {
      name,
      role,
      nulls: Number(nulls),
      distinct: Number(distinct),
      min: min ?? null,
      max: max ?? null,
      mean: toNumber(mean) ?? null,
      quartiles: typeof q1 === "number" ? [q1, Number(q2), Number(q3)] : null,
      top: typeof top === "string" ? readTop(top) : [],
    };
  });
  return { rows: Number(row[0]), columns: profiles };
}

const topSchema = z.array(z.object({ n: z.number(), v: z.string() }));

function readTop(json: string): ColumnProfile["top"] {
  return topSchema.parse(JSON.parse(json)).map(({ n, v }) => ({ value: v, count: -n }));
}
