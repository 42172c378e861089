import type { DuckDBConnection } from "@duckdb/node-api";

import { isIdName } from "../names/column-role.ts";
import { quoteName, quoteText } from "../names/quote.ts";

/** Ways to write a currency, each by its code. */
const CODES: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["$", "USD"],
  ["kr", "kr"],
  ["kr.", "kr"],
  ...["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "JPY"].map(
    (code) => [code, code] as const,
  ),
]);
const UNIT = "[€£$]|kr[.]?|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|JPY";
const NUMBER = "[0-9][0-9.,'\u00A0\u202F ]*";
/** `€1,234`, `-1.234,50 EUR`, `(EUR 12)` has no sign a sum could take and stays text. */
const MONEY = `[+-]?\\s*(${UNIT})\\s*[+-]?${NUMBER}|[+-]?${NUMBER}\\s*(${UNIT})`;
const MONEY_CELL = new RegExp(`^(?:${MONEY})$`, "u");
/** `1 234,50`, `12'500.00`: a space or an apostrophe before three digits. */
const GROUPED = "[+-]?([1-9][0-9]{0,2}([ '\u00A0\u202F][0-9]{3})+|[0-9]+)([.,][0-9]+)?";
const GROUPED_CELL = new RegExp(`^(?:${GROUPED})$`, "u");
const withoutSpaces = (sql: string): string =>
  `regexp_replace(${sql}, ${quoteText("[\\s'\u00A0\u202F]+")}, '', 'g')`;

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
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [i, column] of columns.entries()) {
    const said = sample(i).filter((value) => value !== null && value !== "");
    const money = said.filter((value) => value !== null && MONEY_CELL.test(value));
    if (isGrouped(column, said)) {
      const digits = `regexp_full_match(${quoteName(column)}, ${quoteText(GROUPED)})`;
      await connection.run(
        `UPDATE ${table} SET ${quoteName(column)} = ${withoutSpaces(quoteName(column))} WHERE ${digits}`,
      );
      continue;
    }
    if (money.length === 0 || money.length < said.length * MOSTLY) continue;
    const name = quoteName(column);
    const isMoney = `regexp_full_match(${name}, ${quoteText(MONEY)})`;
    const units = await connection.runAndReadAll(
      `SELECT DISTINCT regexp_extract(${name}, ${quoteText(UNIT)}) FROM ${table} WHERE ${isMoney}`,
    );
    const codes = new Set(units.getRows().map(([unit]) => CODES.get(String(unit)) ?? String(unit)));
    const listed = [...codes].sort().join(", ");
    if (codes.size !== 1) {
      notes.push(`${column} is read as text: its amounts are in ${listed}, which do not add up`);
      continue;
    }
    const plain = withoutSpaces(`regexp_replace(${name}, ${quoteText(UNIT)}, '')`);
    await connection.run(`UPDATE ${table} SET ${name} = ${plain} WHERE ${isMoney}`);
    notes.push(`${column}: amounts in ${listed}`);
  }
  return notes;
}

/** Numbers of different length or with fractions, and no numbers of telephones. */
function isGrouped(column: string, said: readonly (string | null)[]): boolean {
  const texts = said.filter((value) => value !== null);
  const numbers = texts.filter((value) => GROUPED_CELL.test(value));
  const spaced = numbers.filter((value) => /[ '\u00A0\u202F]/.test(value));
  if (spaced.length === 0 || numbers.length < texts.length * MOSTLY || isIdName(column)) return false;
  return (
    numbers.some((value) => /[.,]/.test(value)) || new Set(numbers.map((value) => value.length)).size > 1
  );
}
