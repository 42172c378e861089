import type { DuckDBConnection } from "@duckdb/node-api";

import { oneLine } from "../names/one-line.ts";

const TOTAL =
  /^(?:grand |overall )?(?:total|totals|sum|summa|summe|totalt|gesamt|insgesamt|totaal|i alt)[:.]?$/i;

/** A note where a cell of the last of several rows is a word for a total: every sum counts the others twice. */
export async function totalRowNote(
  connection: DuckDBConnection,
  table: string,
  rows: number,
): Promise<readonly string[]> {
  if (rows < 3) return [];
  const last = await connection.runAndReadAll(`SELECT * FROM ${table} WHERE rowid = ${rows - 1}`);
  const word = last.getRows()[0]?.find((cell) => typeof cell === "string" && TOTAL.test(cell));
  if (typeof word !== "string") return [];
  return [
    `the last row looks like a total of the others (${JSON.stringify(oneLine(word))}); a sum over all rows counts them twice`,
  ];
}
