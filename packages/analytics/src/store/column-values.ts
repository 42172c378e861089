import { quoteName, quoteText } from "../names/quote.ts";
import type { Cell } from "../types/result.ts";
import type { ColumnInfo, DataSchema } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";

/** A column with more different values is free text, or names every row. */
const MAX_DISTINCT = 3_000;
/** Values of all columns together; the columns with the fewest come first. */
export const MAX_VALUES = 9_000;
const MAX_COLUMNS = 120;
/** A longer text is no name. */
const MAX_LENGTH = 80;

/** One statement for the values of all columns a question can name, at most `MAX_VALUES` rows. */
export function columnValuesSql(schema: DataSchema): string | undefined {
  const columns = schema.tables
    .flatMap((table) => table.columns.map((column) => ({ table, column })))
    .filter(({ column }) => isNamed(column))
    .toSorted((a, b) => a.column.distinct - b.column.distinct);
  const chosen: typeof columns = [];
  let values = 0;
  for (const one of columns.slice(0, MAX_COLUMNS)) {
    values += one.column.distinct;
    if (values > MAX_VALUES) break;
    chosen.push(one);
  }
  if (chosen.length === 0) return undefined;
  return chosen
    .map(({ table, column }) => {
      const name = quoteName(column.name);
      return (
        `SELECT DISTINCT ${quoteText(table.name)} AS "table", ${quoteText(column.name)} AS "column", ${name} AS "value" ` +
        `FROM ${quoteName(table.name)} WHERE length(${name}) BETWEEN 1 AND ${MAX_LENGTH}`
      );
    })
    .join("\nUNION ALL\n");
}

function isNamed(column: ColumnInfo): boolean {
  const text = column.type === "VARCHAR" && column.role !== "date";
  return text && column.distinct > 0 && column.distinct <= MAX_DISTINCT;
}

/** Rows of that statement by column, in the order of the schema; values in the order of their text. */
export function toColumnValues(
  rows: readonly (readonly Cell[])[],
  schema: DataSchema,
): readonly ColumnValues[] {
  const found = new Map<string, string[]>();
  for (const [table, column, value] of rows) {
    const key = JSON.stringify([table, column]);
    const values = found.get(key) ?? [];
    values.push(String(value));
    found.set(key, values);
  }
  return schema.tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const values = found.get(JSON.stringify([table.name, column.name]));
      return values === undefined ? [] : [{ table: table.name, column: column.name, values: values.sort() }];
    }),
  );
}
