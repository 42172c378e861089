import { isNumberType } from "../names/column-role.ts";
import { isAdditive } from "../names/labels.ts";
import { quoteName } from "../names/quote.ts";
import { snakeName } from "../names/snake-name.ts";
import { COUNT_WORDS, MONEY_WORDS, PRICE_WORDS, wordsOf } from "../names/words.ts";
import type { ColumnInfo } from "../types/schema.ts";
import { countMeasures, keyColumn } from "./count-measures.ts";
import type { Aggregate, QueryIntent } from "./query-intent.ts";
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

const ORDER_WORDS = ["order", "invoice", "basket", "transaction", "purchase", "sale"];
const VALUE_WORDS = ["value", "size", "amount", "volume"];

/** The measure of a table that fits the words of a question best; the count of rows when none is there. */
export function pickMeasure(tables: readonly Reachable[], intent: QueryIntent): ChosenMeasure {
  const [fact] = tables;
  const all = fact?.table.columns ?? [];
  const columns = all.filter((column) => column.role === "measure" && isNumberType(column.type));
  const sums = [
    ...columns.map((column) => ofColumn(column, intent.words, intent.aggregate)),
    ...ofProduct(columns, intent.words),
  ];
  const wantsMoney = intent.trade || intent.words.some((word) => MONEY_WORDS.includes(word));
  const counts = countMeasures(tables, intent, names(columns, intent.words));
  // What was sold is not told by a number of another kind, such as whom somebody reports to.
  const money = wantsMoney
    ? sums.map((one) => (isMoneyOrQuantity(one.name) ? one : { ...one, score: one.score - 3 }))
    : sums;
  const best = [...money, ...counts, rowCount(tables)].reduce((a, b) => (b.score > a.score ? b : a));
  if (intent.aggregate === undefined || fact === undefined) return best;
  const noun = ratioNoun(fact, intent);
  const shared = intent.aggregate === "avg" ? ratio(tables, columns, intent, noun, counts[0]) : undefined;
  if (shared !== undefined) return shared;
  if (best.counts === true || !isMoneyOrQuantity(best.name) || isPrice(best.name)) return best;
  const word = AVERAGED[intent.aggregate];
  const each = noun?.word ?? intent.grain;
  // One figure of each order or month is another thing than one of each row.
  if (each !== undefined)
    return {
      ...best,
      missed: `the ${word} of one figure for each ${each}; the figures are of single rows.`,
    };
  return { ...best, note: `The ${word} is over single rows of ${fact.table.source}.` };
}

const isPrice = (name: string): boolean => wordsOf(name).some((word) => PRICE_WORDS.includes(word));

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
  const plain = snakeName(column.name);
  return {
    name: used === "sum" ? plain : `${AVERAGED[used]}_${plain}`,
    sql: () => `${used}(f.${quoteName(column.name)})`,
    score,
    additive: used === "sum",
    aggregated: used !== "sum",
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

interface RatioNoun {
  readonly word: string;
  /** `order value`, and not `per order`. */
  readonly value: boolean;
}

/** `order` of `order value` and `customer` of `per customer`: each of them has one figure. */
function ratioNoun(fact: Reachable, intent: QueryIntent): RatioNoun | undefined {
  const order = intent.words.find(
    (word, i) => ORDER_WORDS.includes(word) && VALUE_WORDS.includes(intent.words[i + 1] ?? ""),
  );
  if (order !== undefined) return { word: order, value: true };
  const per = intent.by.find(
    (word) =>
      ["per", "each", "every"].includes(intent.words[intent.words.indexOf(word) - 1] ?? "") &&
      (keyColumn(fact, word) !== undefined || ORDER_WORDS.includes(word)),
  );
  return per === undefined ? undefined : { word: per, value: false };
}

/** `average order value`, `average number of orders per customer`: a sum or count for each of what is named. */
function ratio(
  tables: readonly Reachable[],
  columns: readonly ColumnInfo[],
  intent: QueryIntent,
  named: RatioNoun | undefined,
  counted: ChosenMeasure | undefined,
): ChosenMeasure | undefined {
  const [fact] = tables;
  if (fact === undefined || named === undefined) return undefined;
  const noun = named.word;
  const asksCount = intent.count.length > 0;
  if (asksCount && (counted === undefined || named.value)) return undefined;
  const sums = [
    ...columns.map((column) => ofColumn(column, intent.words, undefined)),
    ...ofProduct(columns, intent.words),
  ];
  const largest = sums.reduce<ChosenMeasure | undefined>(
    (a, b) => (a === undefined || b.score > a.score ? b : a),
    undefined,
  );
  const sum = asksCount ? counted : largest;
  if (sum === undefined || (!asksCount && (!sum.additive || !isMoneyOrQuantity(sum.name)))) return undefined;
  const same = ORDER_WORDS.includes(noun) ? [noun, ...ORDER_WORDS.filter((word) => word !== "sale")] : [noun];
  const key = same.flatMap((word) => keyColumn(fact, word) ?? [])[0];
  const name = !named.value
    ? `average_${sum.name}_per_${noun}`
    : `average_${noun}_value${currency(sum.name)}`;
  return {
    name,
    sql: (alias) =>
      `round(${sum.sql(alias)} / nullif(${key === undefined ? "count(*)" : `count(DISTINCT f.${quoteName(key.name)})`}, 0), 2)`,
    score: 5.8 - (key === undefined ? 1 : 0),
    additive: false,
    per: noun,
    aggregated: true,
    ...(sum.counted === undefined ? {} : { counted: sum.counted }),
    ...(sum.note === undefined ? {} : { note: sum.note }),
    ...(key === undefined
      ? { note: `Each row of ${fact.table.source} counts as one ${noun}: no column numbers them.` }
      : {}),
  };
}

/** Money or a quantity: what is shared out among customers or orders. */
export function isMoneyOrQuantity(name: string): boolean {
  return wordsOf(name).some((word) => MONEY_WORDS.includes(word) || COUNT_WORDS.includes(word));
}

export function isMoney(name: string): boolean {
  return wordsOf(name).some((word) => MONEY_WORDS.includes(word));
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
