import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";

import { oneLine } from "../names/one-line.ts";
import { quoteName, quoteText } from "../names/quote.ts";

const TOTAL =
  "(?:grand |overall )?(?:total|totals|sum|summa|summe|totalt|gesamt|gesamtsumme|insgesamt|totaal|i alt)[:.]?";
const IS_TOTAL = new RegExp(`^(?:${TOTAL})$`, "i");
/** A figure with its unit, in any country's form; a date with points in it is none. */
const FIGURE = /^[^\d\p{L}]{0,3}\d[\d.,' \u00A0]*[^\d]{0,5}$/u;
const DOTTED_DATE = /^\d{1,2}\.\d{1,2}\.\d{2,4}$/;
/** More rows of that name are a category of the data. */
/** What a note says of a row that was kept. */
export const MAYBE_TOTAL = "looks like a total of the others";
const MAX_TOTALS = 50;
/** How often a column has to be filled for an empty cell to tell a total from the rows. */
const FILLED = 0.9;

/** Rows that are totals of the others, taken out of the staged table of text; a note of what was. */
export async function dropTotalRows(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  rows: number,
): Promise<readonly string[]> {
  const isTotal = (column: string): string =>
    `regexp_full_match(lower(${quoteName(column)}), ${quoteText(TOTAL)})`;
  const found = await connection.runAndReadAll(
    `SELECT rowid, * FROM ${table} WHERE ${columns.map((column) => `coalesce(${isTotal(column)}, false)`).join(" OR ")} LIMIT ${MAX_TOTALS + 1}`,
  );
  const candidates = found.getRows();
  if (candidates.length === 0 || candidates.length > Math.min(MAX_TOTALS, rows / 3)) return [];
  const fill = await connection.runAndReadAll(
    `SELECT ${columns.map((column) => `count(nullif(${quoteName(column)}, '')) / count(*)`).join(", ")} FROM ${table} WHERE rowid NOT IN (${candidates.map(([id]) => String(id)).join(", ")})`,
  );
  const filled = (fill.getRows()[0] ?? []).map(Number);
  const totals = candidates.filter(([, ...cells]) => isTotalRow(cells, filled));
  if (totals.length === 0) return [];
  const ids = totals.map(([id]) => String(id)).join(", ");
  await connection.run(`DELETE FROM ${table} WHERE rowid IN (${ids})`);
  const word = oneLine(String(totals[0]?.slice(1).find((cell) => IS_TOTAL.test(String(cell ?? "")))));
  const many = totals.length === 1 ? "1 row is" : `${totals.length} rows are`;
  return [`${many} labelled as a total (${JSON.stringify(word)}) and left out`];
}

/** A label, figures, and nothing where the rows that are added up say something. */
function isTotalRow(cells: readonly DuckDBValue[], filled: readonly number[]): boolean {
  const texts = cells.map((cell) => String(cell ?? ""));
  const label = texts.findIndex((text) => IS_TOTAL.test(text));
  const others = texts.filter((text, i) => i !== label && text !== "");
  const figures = others.filter((text) => FIGURE.test(text) && !DOTTED_DATE.test(text));
  const open = texts.some((text, i) => text === "" && (filled[i] ?? 0) >= FILLED);
  return open && others.length > 0 && figures.length === others.length;
}

/** Types that add up. */
const NUMBER = /^(.*INT|DECIMAL.*|DOUBLE)$/;

/**
 * The last row where a cell is a word for a total and all others are figures: taken out where its figures are the sums of the others, else
 * a note.
 */
export async function totalRowNote(connection: DuckDBConnection, table: string): Promise<readonly string[]> {
  const last = await connection.runAndReadAll(
    `SELECT rowid, * FROM ${table} WHERE rowid = (SELECT max(rowid) FROM ${table})`,
  );
  const [id, ...cells] = last.getRows()[0] ?? [];
  const word = cells.find((cell) => typeof cell === "string" && IS_TOTAL.test(cell));
  if (typeof word !== "string") return [];
  const said = JSON.stringify(oneLine(word));
  const names = last.columnNames().slice(1);
  const sums = names.filter((_, i) => cells[i] !== null && NUMBER.test(String(last.columnTypes()[i + 1])));
  const others = names.filter((_, i) => cells[i] !== null && cells[i] !== word).length;
  if (sums.length === 0 || others > sums.length) return [];
  const where = `rowid = ${String(id)}`;
  const same = sums.map((name) => {
    const column = quoteName(name);
    return `abs(sum(${column}) FILTER (WHERE NOT ${where}) - max(${column}) FILTER (WHERE ${where})) < 0.5`;
  });
  const checked = await connection.runAndReadAll(`SELECT count(*) > 2, ${same.join(", ")} FROM ${table}`);
  const [several, ...equal] = checked.getRows()[0] ?? [];
  if (several !== true) return [];
  if (!equal.includes(true))
    return [`the last row ${MAYBE_TOTAL} (${said}); a sum over all rows counts them twice`];
  await connection.run(`DELETE FROM ${table} WHERE ${where}`);
  return [`1 row is labelled as a total (${said}) and left out`];
}
