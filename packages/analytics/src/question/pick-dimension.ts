import { quoteName } from "../names/quote.ts";
import { snakeName } from "../names/snake-name.ts";
import type { ColumnInfo, TableInfo } from "../types/schema.ts";
import type { Reachable } from "./schema-map.ts";
import { relatedWords, wordsOf } from "../names/words.ts";

/** What to group by: a column, or a person's name made of two. */
export interface ChosenDimension {
  readonly name: string;
  readonly from: Reachable;
  /** The expression over the alias of `from`. */
  readonly sql: (alias: string) => string;
  readonly distinct: number;
}

/** The column or table a word of the question means: by its own name first, then by a related word. */
export function pickDimension(word: string, tables: readonly Reachable[]): ChosenDimension | undefined {
  for (const wanted of [word, ...relatedWords(word)]) {
    const exact = fromColumn(tables, (words) => words.length === 1 && words[0] === wanted);
    const found =
      exact ??
      fromTable(tables, wanted) ??
      fromColumn(tables, (words) => words.includes(wanted) && !words.includes("id"));
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromColumn(
  tables: readonly Reachable[],
  fits: (words: readonly string[]) => boolean,
): ChosenDimension | undefined {
  for (const from of tables) {
    const column = from.table.columns.find((one) => one.role === "category" && fits(wordsOf(one.name)));
    if (column !== undefined) return dimension(column, from, snakeName(column.name));
  }
  return undefined;
}

/** `products` -> the product's name. */
function fromTable(tables: readonly Reachable[], word: string): ChosenDimension | undefined {
  const from = tables.find(({ table }) => wordsOf(table.name).at(-1) === word);
  if (from === undefined) return undefined;
  const label = labelOf(from.table, word);
  if (label !== undefined) return apart(dimension(label, from, word), label);
  const first = named(from.table, ["first", "name"]);
  const last = named(from.table, ["last", "name"]);
  if (first === undefined || last === undefined) return undefined;
  const sql = (alias: string): string =>
    `concat_ws(' ', ${alias}.${quoteName(first.name)}, ${alias}.${quoteName(last.name)})`;
  return { name: word, from, sql, distinct: from.table.rows };
}

/** Two customers of one name stay two: their key goes with the name where names repeat. */
function apart(by: ChosenDimension, label: ColumnInfo): ChosenDimension {
  const { table } = by.from;
  const key = keyOf(table);
  if (key === undefined || isTellingApart(table, label)) return by;
  const sql = (alias: string): string =>
    `concat(${by.sql(alias)}, ' (', ${alias}.${quoteName(key.name)}, ')')`;
  return { ...by, sql, distinct: table.rows };
}

function keyOf(table: TableInfo): ColumnInfo | undefined {
  return table.columns.find(
    (column) => column.role === "id" && column.nulls === 0 && column.distinct === table.rows,
  );
}

function isTellingApart(table: TableInfo, label: ColumnInfo): boolean {
  return label.distinct + label.nulls >= table.rows;
}

/** Whether a column is the name of what a table's rows are, and several rows have the same. */
export function isSharedName(table: TableInfo, column: string): boolean {
  const label = labelOf(table, wordsOf(table.name).at(-1) ?? "");
  return label?.name === column && keyOf(table) !== undefined && !isTellingApart(table, label);
}

function labelOf(table: TableInfo, word: string): ColumnInfo | undefined {
  const categories = table.columns.filter((column) => column.role === "category");
  const is = (words: readonly string[]) => (column: ColumnInfo) =>
    wordsOf(column.name).join(" ") === words.join(" ");
  return (
    categories.find(is(["name"])) ??
    categories.find(is([word, "name"])) ??
    categories.find(is(["title"])) ??
    categories.find(is([word])) ??
    categories.find((column) => wordsOf(column.name).includes("name") && !/first|last/i.test(column.name))
  );
}

function named(table: TableInfo, words: readonly string[]): ColumnInfo | undefined {
  return table.columns.find((column) => wordsOf(column.name).join(" ") === words.join(" "));
}

/** A column of the first table. */
export function columnDimension(
  column: ColumnInfo,
  [from]: readonly Reachable[],
): ChosenDimension | undefined {
  return from === undefined ? undefined : dimension(column, from, snakeName(column.name));
}

function dimension(column: ColumnInfo, from: Reachable, name: string): ChosenDimension {
  return { name, from, sql: (alias) => `${alias}.${quoteName(column.name)}`, distinct: column.distinct };
}

/** Whether two words led to the same column. */
export function isSameDimension(a: ChosenDimension, b: ChosenDimension): boolean {
  return a.from.table === b.from.table && a.sql("t") === b.sql("t");
}
