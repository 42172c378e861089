import type { DuckDBConnection } from "@duckdb/node-api";

import { isIdName, isNumberType } from "../names/column-role.ts";
import { isAdditive } from "../names/labels.ts";
import { oneLine } from "../names/one-line.ts";
import { quoteName, quoteText } from "../names/quote.ts";
import type { ColumnWithReading } from "./subtotal-row.ts";

const TOTAL =
  "(?:grand |overall )?(?:total|totals|sum|summa|summe|totalt|gesamt|gesamtsumme|insgesamt|totaal|i alt)[:.]?";
const IS_TOTAL = new RegExp(`^(?:${TOTAL})$`, "i");
/** A figure with its unit, in any country's form; a date with points in it is none. */
const FIGURE = /^[^\d\p{L}]{0,3}\d[\d.,' \u00A0]*[^\d]{0,5}$/u;
const DOTTED_DATE = /^\d{1,2}\.\d{1,2}\.\d{2,4}$/;
/** More rows of that name are a category of the data. */
const MAX_TOTALS = 50;
/** How often a column has to be filled for an empty cell to tell a total from the rows. */
const FILLED = 0.9;
/** Part of a total by which the sum of the others may differ: totals are rounded. */
const TOLERANCE = 0.001;

/** A row that may be a total of the others: it has the word for one, and else figures. */
export interface TotalRow {
  readonly rowid: number;
  readonly word: string;
}

/**
 * Rows of the staged table of text that may be totals: a label, figures, and nothing where the rows that
 * are added up say something; or the last row, where it has a label and figures.
 */
export async function findTotalRows(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  rows: number,
): Promise<readonly TotalRow[]> {
  const isTotal = columns.map(
    (column) => `coalesce(regexp_full_match(lower(${quoteName(column)}), ${quoteText(TOTAL)}), false)`,
  );
  const labelled = `(${isTotal.join(" OR ")})`;
  const found = await connection.runAndReadAll(
    `SELECT rowid, * FROM ${table} WHERE ${labelled} ORDER BY rowid DESC LIMIT ${MAX_TOTALS + 1}`,
  );
  const all = found
    .getRows()
    .map(([rowid, ...cells]) => ({ rowid: Number(rowid), cells: cells.map((cell) => String(cell ?? "")) }));
  const alike = all.filter(({ cells }) => isLabelAndFigures(cells)).toReversed();
  if (alike.length === 0 || rows < 3) return [];
  const isRare = all.length <= Math.min(MAX_TOTALS, rows / 3);
  const fill = await connection.runAndReadAll(
    `SELECT ${columns.map((column) => `count(nullif(${quoteName(column)}, '')) / count(*)`).join(", ")} FROM ${table} WHERE NOT ${labelled}`,
  );
  const filled = (fill.getRows()[0] ?? []).map(Number);
  return alike
    .filter(
      ({ rowid, cells }) =>
        rowid === rows - 1 || (isRare && cells.some((text, i) => text === "" && (filled[i] ?? 0) >= FILLED)),
    )
    .map(({ rowid, cells }) => ({ rowid, word: cells.find((cell) => IS_TOTAL.test(cell)) ?? "" }));
}

function isLabelAndFigures(cells: readonly string[]): boolean {
  const label = cells.findIndex((text) => IS_TOTAL.test(text));
  const others = cells.filter((text, i) => i !== label && text !== "");
  return others.length > 0 && others.every((text) => FIGURE.test(text) && !DOTTED_DATE.test(text));
}

/** The rows of a staged table that are no totals, for FROM. */
export function withoutTotals(table: string, totals: readonly { readonly rowid: number }[]): string {
  return totals.length === 0 ? table : `(SELECT * FROM ${table} WHERE rowid NOT IN (${idsOf(totals)}))`;
}

const idsOf = (totals: readonly { readonly rowid: number }[]): string =>
  totals.map(({ rowid }) => rowid).join(", ");

/** What became of the rows that may be totals. */
export interface SettledTotals {
  readonly notes: readonly string[];
  /** A row was kept that may be one: sums over all rows may count the others twice. */
  readonly doubtful: boolean;
}

/**
 * Takes a row out where each of its figures that adds up is the sum of all other rows, or of those since the
 * last such row. Any other is kept, without the cells that its columns cannot hold.
 */
export async function settleTotalRows(
  connection: DuckDBConnection,
  table: string,
  totals: readonly TotalRow[],
  columns: readonly ColumnWithReading[],
): Promise<SettledTotals> {
  if (totals.length === 0) return { notes: [], doubtful: false };
  const summed = columns.filter(
    ({ name, reading }) => isNumberType(reading.type) && isAdditive(name) && !isIdName(name),
  );
  const read = async (
    select: (sql: string) => string,
    where: string,
  ): Promise<readonly (number | null)[]> => {
    if (summed.length === 0) return [];
    const list = summed.map(({ name, reading }) => select(`CAST(${reading.sql(quoteName(name))} AS DOUBLE)`));
    const rows = await connection.runAndReadAll(`SELECT ${list.join(", ")} FROM ${table} WHERE ${where}`);
    return (rows.getRows()[0] ?? []).map((cell) => (cell === null ? null : Number(cell)));
  };
  const others = `rowid NOT IN (${idsOf(totals)})`;
  const ofAll = await read((sql) => `sum(${sql})`, others);
  const left: TotalRow[] = [];
  const kept: TotalRow[] = [];
  for (const [i, total] of totals.entries()) {
    const own = await read((sql) => `TRY(${sql})`, `rowid = ${total.rowid}`);
    const since = `rowid > ${totals[i - 1]?.rowid ?? -1} AND rowid < ${total.rowid}`;
    const isSum =
      areSame(own, ofAll) || areSame(own, await read((sql) => `sum(${sql})`, `${others} AND ${since}`));
    (isSum ? left : kept).push(total);
  }
  if (left.length > 0) await connection.run(`DELETE FROM ${table} WHERE rowid IN (${idsOf(left)})`);
  for (const { name, reading } of kept.length === 0 ? [] : columns)
    if (reading.type !== "VARCHAR")
      await connection.run(
        `UPDATE ${table} SET ${quoteName(name)} = NULL WHERE rowid IN (${idsOf(kept)}) AND TRY(${reading.sql(quoteName(name))}) IS NULL`,
      );
  return {
    notes: [
      ...noteOf(left, "labelled as a total", "and left out"),
      ...noteOf(kept, "like a total of the others", "but kept: its figures are not their sums"),
    ],
    doubtful: kept.length > 0,
  };
}

/** Whether there is a figure, and each is the sum. */
function areSame(own: readonly (number | null)[], sums: readonly (number | null)[]): boolean {
  const said = own.flatMap((figure, i) => (figure === null ? [] : [{ figure, sum: sums[i] ?? 0 }]));
  return (
    said.length > 0 &&
    said.every(
      ({ figure, sum }) => Math.abs(figure - sum) <= TOLERANCE * Math.max(Math.abs(figure), Math.abs(sum)),
    )
  );
}

function noteOf(totals: readonly TotalRow[], like: string, then: string): readonly string[] {
  const [first] = totals;
  if (first === undefined) return [];
  const many = totals.length === 1 ? "1 row is" : `${totals.length} rows are`;
  return [`${many} ${like} (${JSON.stringify(oneLine(first.word))}) ${then}`];
}
