import type { DuckDBConnection } from "@duckdb/node-api";

import { CURRENCY_IN_CELL, currencyOf } from "../names/currencies.ts";
import { quoteName, quoteText } from "../names/quote.ts";
import { keepOriginal, withoutSpaces, type Originals } from "./join-digits.ts";

const UNIT = CURRENCY_IN_CELL;
const NUMBER = "[0-9][0-9.,'\u00A0\u202F ]*";
/** `€1,234`, `-1.234,50 EUR`, `(EUR 12)` has no sign a sum could take and stays text. */
const MONEY = `[+-]?\\s*(${UNIT})\\s*[+-]?${NUMBER}|[+-]?${NUMBER}\\s*(${UNIT})`;
const MONEY_CELL = new RegExp(`^(?:${MONEY})$`, "u");
/** Of the values that say something, how many have to be money. */
const MOSTLY = 0.9;

/**
 * Takes the currency from the cells of columns that are amounts in one currency, so that they are read as numbers;
 * a note for each column. Several currencies do not add up: such a column stays text, and the note says so.
 */
export async function stripUnits(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  sample: (column: number) => readonly (string | null)[],
  originals: Originals,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [i, column] of columns.entries()) {
    const said = sample(i).filter((value) => value !== null && value !== "");
    const money = said.filter((value) => value !== null && MONEY_CELL.test(value));
    if (money.length === 0 || money.length < said.length * MOSTLY) continue;
    const name = quoteName(column);
    const isMoney = `regexp_full_match(${name}, ${quoteText(MONEY)})`;
    const units = await connection.runAndReadAll(
      `SELECT DISTINCT regexp_extract(${name}, ${quoteText(UNIT)}) FROM ${table} WHERE ${isMoney}`,
    );
    const codes = new Set(units.getRows().map(([unit]) => currencyOf(String(unit))));
    const listed = [...codes].sort().join(", ");
    if (codes.size !== 1) {
      notes.push(`${column} is read as text: its amounts are in ${listed}, which do not add up`);
      continue;
    }
    const plain = withoutSpaces(`regexp_replace(${name}, ${quoteText(UNIT)}, '')`);
    await keepOriginal(connection, table, column, originals);
    await connection.run(`UPDATE ${table} SET ${name} = ${plain} WHERE ${isMoney}`);
    notes.push(`${column}: amounts in ${listed}`);
  }
  return notes;
}
