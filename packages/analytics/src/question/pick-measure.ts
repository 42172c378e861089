import { isNumberType } from "../names/column-role.ts";
import { isAdditive } from "../names/labels.ts";
import { quoteName } from "../names/quote.ts";
import { COUNT_WORDS, MONEY_WORDS, PRICE_WORDS, wordsOf } from "../names/words.ts";
import type { ColumnInfo } from "../types/schema.ts";
import { countMeasures, keyColumn } from "./count-measures.ts";
import type { Aggregate, Asked } from "./read-question.ts";
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
  /** What a reader has to know, such as what stands for an order. */
  readonly note?: string;
}

const ORDER_WORDS = ["order", "invoice", "basket", "transaction", "purchase", "sale"];
const VALUE_WORDS = ["value", "size", "amount", "volume"];

/** The measure of a table that fits the words of a question best; the count of rows when none is there. */
export function pickMeasure(tables: readonly Reachable[], asked: Asked): ChosenMeasure {
  const [fact] = tables;
  const all = fact?.table.columns ?? [];
  const columns = all.filter((column) => column.role === "measure" && isNumberType(column.type));
  const sums = [
    ...columns.map((column) => ofColumn(column, asked.words, asked.aggregate)),
    ...ofProduct(columns, asked.words),
  ];
  const wantsMoney = asked.trade || asked.words.some((word) => MONEY_WORDS.includes(word));
  const counts = countMeasures(tables, asked, names(columns, asked.words));
  // What was sold is not told by a number of another kind, such as whom somebody reports to.
  const money = wantsMoney
    ? sums.map((one) => (isAmount(one.name) ? one : { ...one, score: one.score - 3 }))
    : sums;
  const best = [...money, ...counts, rowCount(tables)].reduce((a, b) => (b.score > a.score ? b : a));
  return asked.aggregate === "avg" ? (ratio(tables, columns, asked) ?? best) : best;
}

/** Whether the question names a measure, or money. */
function names(columns: readonly ColumnInfo[], words: readonly string[]): boolean {
  const named = columns.some((column) => wordsOf(column.name).some((word) => words.includes(word)));
  return named || words.some((word) => MONEY_WORDS.includes(word) && word !== "sale");
}

const AVERAGED: { readonly [A in Aggregate]: string } = {
  avg: "average",
  median: "median",
  min: "min",
  max: "max",
};

function ofColumn(
  column: ColumnInfo,
  words: readonly string[],
  aggregate: Aggregate | undefined,
): ChosenMeasure {
  const own = wordsOf(column.name);
  const additive = isAdditive(column.name);
  const price = own.some((word) => PRICE_WORDS.includes(word));
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
      (additive ? 5.5 : 4.5) + (own.every((word) => words.includes(word) || isUnitWord(word)) ? 0.9 : 0);
  const used = aggregate ?? (additive ? "sum" : "avg");
  const plain = plainName(column.name);
  return {
    name: used === "sum" ? plain : `${AVERAGED[used]}_${plain}`,
    sql: () => `${used}(f.${quoteName(column.name)})`,
    score,
    additive: used === "sum",
  };
}

const isUnitWord = (word: string): boolean => /^(eur|euro|usd|gbp|sek|nok|dkk|chf)$/.test(word);

/** Price times quantity is revenue where no column says it. */
function ofProduct(columns: readonly ColumnInfo[], words: readonly string[]): readonly ChosenMeasure[] {
  const has = (column: ColumnInfo, list: readonly string[]): boolean =>
    wordsOf(column.name).some((word) => list.includes(word));
  const price = columns.find((column) => has(column, PRICE_WORDS));
  const quantity = columns.find((column) => column !== price && has(column, COUNT_WORDS));
  if (price === undefined || quantity === undefined) return [];
  const wantsMoney = words.some((word) => MONEY_WORDS.includes(word));
  const sql = `sum(f.${quoteName(price.name)} * f.${quoteName(quantity.name)})`;
  return [{ name: "revenue", sql: () => sql, score: wantsMoney ? 3.9 : 1.9, additive: true }];
}

/** `average order value`, `average revenue per customer`: a sum for each of what is counted. */
function ratio(
  tables: readonly Reachable[],
  columns: readonly ColumnInfo[],
  asked: Asked,
): ChosenMeasure | undefined {
  const [fact] = tables;
  const order = asked.words.find(
    (word, i) => ORDER_WORDS.includes(word) && VALUE_WORDS.includes(asked.words[i + 1] ?? ""),
  );
  const per = asked.by.find(
    (word) =>
      asked.words[asked.words.indexOf(word) - 1] === "per" &&
      (keyColumn(fact, word) !== undefined || ORDER_WORDS.includes(word)),
  );
  const noun = order ?? per;
  if (fact === undefined || noun === undefined) return undefined;
  const sums = [
    ...columns.map((column) => ofColumn(column, asked.words, undefined)),
    ...ofProduct(columns, asked.words),
  ];
  const sum = sums.reduce<ChosenMeasure | undefined>(
    (a, b) => (a === undefined || b.score > a.score ? b : a),
    undefined,
  );
  if (sum === undefined || !sum.additive || !isAmount(sum.name)) return undefined;
  const same = ORDER_WORDS.includes(noun) ? [noun, ...ORDER_WORDS.filter((word) => word !== "sale")] : [noun];
  const key = same.flatMap((word) => keyColumn(fact, word) ?? [])[0];
  const name =
    order === undefined ? `average_${sum.name}_per_${noun}` : `average_${noun}_value${currency(sum.name)}`;
  return {
    name,
    sql: (alias) =>
      `round(${sum.sql(alias)} / nullif(${key === undefined ? "count(*)" : `count(DISTINCT f.${quoteName(key.name)})`}, 0), 2)`,
    score: 5.8 - (key === undefined ? 1 : 0),
    additive: false,
    per: noun,
    ...(key === undefined
      ? { note: `Each row of ${fact.table.source} counts as one ${noun}: no column numbers them.` }
      : {}),
  };
}

/** Money or a quantity: what is shared out among customers or orders. */
export function isAmount(name: string): boolean {
  return wordsOf(name).some((word) => MONEY_WORDS.includes(word) || COUNT_WORDS.includes(word));
}

/** The unit stays in the name, where a reader's label is made from it. */
function currency(name: string): string {
  return /_(eur|usd|gbp|sek|nok|dkk|chf)$/.exec(name)?.[0] ?? "";
}

function rowCount(tables: readonly Reachable[]): ChosenMeasure {
  const last = tables[0]?.table.name.split("_").at(-1) ?? "row";
  const name = `number_of_${last.endsWith("s") ? last : `${last}s`}`;
  return { name, sql: () => "count(*)", score: 0, additive: true, counts: true };
}

export function plainName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/\s+/g, "_")
    .toLowerCase();
}
