import { isCurrencyWord } from "../names/currencies.ts";
import { isAdditive } from "../names/labels.ts";
import { quoteName } from "../names/quote.ts";
import { snakeName } from "../names/snake-name.ts";
import { COUNT_WORDS, MONEY_WORDS, PRICE_WORDS, wordsOf } from "../names/words.ts";
import type { ColumnInfo } from "../types/schema.ts";
import type { Aggregate } from "./intent-words.ts";
import type { Reachable } from "./schema-map.ts";

/** Where a table stands in a statement. */
export type Alias = (from: Reachable) => string;

/** What is added up. */
export interface ChosenMeasure {
  readonly name: string;
  /** An aggregate over the aliases of the statement. */
  readonly sql: (alias: Alias) => string;
  /** How well it answers, for choosing between tables. */
  readonly score: number;
  readonly additive: boolean;
  readonly counts?: boolean;
  /** The word after `per` that it divides by. */
  readonly per?: string;
  /** The words after `how many` that say what is counted. */
  readonly counted?: readonly string[];
  /** An average, median, least or most was taken, as it was asked for. */
  readonly aggregated?: boolean;
  /** What a reader has to know, such as what stands for an order. */
  readonly note?: string;
  /** What was asked and this is not, in a sentence. */
  readonly missed?: string;
}

/** How a column's figure is named where it is no sum. */
export const AVERAGED: { readonly [A in Aggregate]: string } = {
  avg: "average",
  median: "median",
  min: "min",
  max: "max",
};

/** The sum, or another figure, of a column, and how well it fits the words. */
export function ofColumn(
  column: ColumnInfo,
  words: readonly string[],
  aggregate: Aggregate | undefined,
): ChosenMeasure {
  const own = wordsOf(column.name);
  const additive = isAdditive(column.name);
  const price = isPrice(column.name);
  // `units sold` means a quantity, not the price of a unit.
  const units = !price && own.some((word) => COUNT_WORDS.includes(word));
  const wantsUnits =
    words.some((word) => COUNT_WORDS.includes(word)) && !words.some((word) => PRICE_WORDS.includes(word));
  const named = price
    ? own.some((word) => PRICE_WORDS.includes(word) && words.includes(word))
    : own.some((word) => words.includes(word)) || (units && wantsUnits);
  const money = MONEY_WORDS.findIndex((word) => own.includes(word));
  const wantsMoney = words.some((word) => MONEY_WORDS.includes(word));
  let score = additive ? 1 : 0.5;
  if (money >= 0 && additive) score = (wantsMoney ? 4 : 2) + 0.9 * (1 - money / MONEY_WORDS.length);
  // A column that is named in full goes before one that shares a word: `list price`, `unit price`.
  if (named)
    score =
      (additive ? 5.5 : 4.5) +
      (own.every((word) => words.includes(word) || isCurrencyWord(word)) ? 0.9 : 0) +
      (own.some((word) => isCurrencyWord(word) && words.includes(word)) ? 0.3 : 0);
  const used = aggregate ?? (additive ? "sum" : "avg");
  const plain = snakeName(column.name);
  return {
    name: used === "sum" ? plain : `${AVERAGED[used]}_${plain}`,
    sql: () => `${used}(f.${quoteName(column.name)})`,
    score,
    additive: used === "sum",
    aggregated: used !== "sum",
  };
}

/** Price times quantity is revenue where no column says it. */
export function ofProduct(
  columns: readonly ColumnInfo[],
  words: readonly string[],
): readonly ChosenMeasure[] {
  const has = (column: ColumnInfo, list: readonly string[]): boolean =>
    wordsOf(column.name).some((word) => list.includes(word));
  const price = columns.find((column) => has(column, PRICE_WORDS));
  const quantity = columns.find((column) => column !== price && has(column, COUNT_WORDS));
  if (price === undefined || quantity === undefined) return [];
  const wantsMoney = words.some((word) => MONEY_WORDS.includes(word));
  const sql = `sum(f.${quoteName(price.name)} * f.${quoteName(quantity.name)})`;
  const note = `Revenue is ${price.name} times ${quantity.name} of each row.`;
  return [{ name: "revenue", sql: () => sql, score: wantsMoney ? 3.9 : 1.9, additive: true, note }];
}

/** Money or a quantity: what is shared out among customers or orders. */
export function isMoneyOrQuantity(name: string): boolean {
  return wordsOf(name).some((word) => MONEY_WORDS.includes(word) || COUNT_WORDS.includes(word));
}

export function isMoney(name: string): boolean {
  return wordsOf(name).some((word) => MONEY_WORDS.includes(word));
}

export const isPrice = (name: string): boolean => wordsOf(name).some((word) => PRICE_WORDS.includes(word));
