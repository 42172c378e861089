import type { DuckDBConnection } from "@duckdb/node-api";

import { isIdName } from "../names/column-role.ts";
import { quoteName, quoteText } from "../names/quote.ts";

/** `1 234,50`, `12'500.00`: a space or an apostrophe before three digits. */
const GROUPED = "[+-]?([1-9][0-9]{0,2}([ '\u00A0\u202F][0-9]{3})+|[0-9]+)([.,][0-9]+)?";
const GROUPED_CELL = new RegExp(`^(?:${GROUPED})$`, "u");
/** Of the values that say something, how many have to be numbers. */
const MOSTLY = 0.9;

/** SQL of a text without what stands between its digits. */
export const withoutSpaces = (sql: string): string =>
  `regexp_replace(${sql}, ${quoteText("[\\s'\u00A0\u202F]+")}, '', 'g')`;

/** Columns whose cells were rewritten, each with its text as it was in `originalOf` it: what stays text is not changed. */
export type Originals = Set<string>;

export const originalOf = (column: string): string => `original of ${column}`;

export async function keepOriginal(
  connection: DuckDBConnection,
  table: string,
  column: string,
  originals: Originals,
): Promise<void> {
  if (originals.has(column)) return;
  originals.add(column);
  const copy = quoteName(originalOf(column));
  await connection.run(`ALTER TABLE ${table} ADD COLUMN ${copy} VARCHAR`);
  await connection.run(`UPDATE ${table} SET ${copy} = ${quoteName(column)}`);
}

/** Takes spaces and apostrophes from between the digits of columns that are numbers. */
export async function joinDigits(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  sample: (column: number) => readonly (string | null)[],
  originals: Originals,
): Promise<void> {
  for (const [i, column] of columns.entries()) {
    if (!isGrouped(column, sample(i))) continue;
    const name = quoteName(column);
    await keepOriginal(connection, table, column, originals);
    await connection.run(
      `UPDATE ${table} SET ${name} = ${withoutSpaces(name)} WHERE regexp_full_match(${name}, ${quoteText(GROUPED)})`,
    );
  }
}

/** Numbers of different length or with fractions, and no numbers of telephones. */
function isGrouped(column: string, sample: readonly (string | null)[]): boolean {
  const texts = sample.flatMap((value) => (value === null || value === "" ? [] : [value]));
  const numbers = texts.filter((value) => GROUPED_CELL.test(value));
  const spaced = numbers.filter((value) => /[ '\u00A0\u202F]/.test(value));
  if (spaced.length === 0 || numbers.length < texts.length * MOSTLY || isIdName(column)) return false;
  return (
    numbers.some((value) => /[.,]/.test(value)) || new Set(numbers.map((value) => value.length)).size > 1
  );
}
