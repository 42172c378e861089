import { isDateType, isNumberType } from "../names/column-role.ts";
import { isAdditive } from "../names/labels.ts";
import { quoteName } from "../names/quote.ts";
import type { ColumnInfo, TableInfo } from "../types/schema.ts";
import { COUNT_WORDS, MONEY_WORDS, PRICE_WORDS, wordsOf } from "../names/words.ts";

/** What is added up. `sql` is an aggregate over the fact table's alias `f`. */
export interface ChosenMeasure {
  readonly name: string;
  readonly sql: string;
  /** How well it answers, for choosing between tables. */
  readonly score: number;
  readonly additive: boolean;
}

/** The measure of a table that fits the words of a question best; the count of rows when none is there. */
export function pickMeasure(table: TableInfo, words: readonly string[]): ChosenMeasure {
  const columns = table.columns.filter((column) => column.role === "measure" && isNumberType(column.type));
  const wantsCount = words.includes("many") || words.includes("number");
  const candidates = [
    ...columns.map((column) => ofColumn(column, words)),
    ...ofProduct(columns, words),
    { name: countName(table), sql: "count(*)", score: wantsCount ? 6 : 0, additive: true },
  ];
  return candidates.reduce((best, one) => (one.score > best.score ? one : best));
}

function ofColumn(column: ColumnInfo, words: readonly string[]): ChosenMeasure {
  const own = wordsOf(column.name);
  const additive = isAdditive(column.name);
  const named = own.some((word) => words.includes(word));
  const money = MONEY_WORDS.findIndex((word) => own.includes(word));
  const wantsMoney = words.some((word) => MONEY_WORDS.includes(word));
  let score = additive ? 1 : 0.5;
  if (money >= 0 && additive) score = (wantsMoney ? 4 : 2) + 0.9 * (1 - money / MONEY_WORDS.length);
  if (named) score = additive ? 5.5 : 4.5;
  const aggregate = additive ? "sum" : "avg";
  return {
    name: aliasOf(column.name, additive),
    sql: `${aggregate}(f.${quoteName(column.name)})`,
    score,
    additive,
  };
}

/** Price times quantity is revenue where no column says it. */
function ofProduct(columns: readonly ColumnInfo[], words: readonly string[]): readonly ChosenMeasure[] {
  const has = (column: ColumnInfo, list: readonly string[]): boolean =>
    wordsOf(column.name).some((word) => list.includes(word));
  const price = columns.find((column) => has(column, PRICE_WORDS));
  const quantity = columns.find((column) => column !== price && has(column, COUNT_WORDS));
  if (price === undefined || quantity === undefined) return [];
  const wantsMoney = words.some((word) => MONEY_WORDS.includes(word));
  const sql = `sum(f.${quoteName(price.name)} * f.${quoteName(quantity.name)})`;
  return [{ name: "revenue", sql, score: wantsMoney ? 3.9 : 1.9, additive: true }];
}

function aliasOf(name: string, additive: boolean): string {
  const plain = wordsFor(name);
  return additive ? plain : `average_${plain}`;
}

function wordsFor(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/\s+/g, "_")
    .toLowerCase();
}

function countName(table: TableInfo): string {
  const last = table.name.split("_").at(-1) ?? table.name;
  return `number_of_${last.endsWith("s") ? last : `${last}s`}`;
}

/** The column that says when: a real date, the one named like an event before any other. */
export function pickDate(table: TableInfo): ColumnInfo | undefined {
  const dates = table.columns.filter((column) => column.role === "date" && isDateType(column.type));
  const score = (column: ColumnInfo): number => {
    const words = wordsOf(column.name);
    const event = ["order", "invoice", "sale", "sold", "transaction", "purchase"].some((word) =>
      words.includes(word),
    );
    const late = ["update", "updated", "modified", "due", "birth", "end", "delivered"].some((word) =>
      words.includes(word),
    );
    return (event ? 2 : 0) - (late ? 2 : 0) - column.nulls / Math.max(1, table.rows);
  };
  return dates.toSorted((a, b) => score(b) - score(a))[0];
}
