import { isCurrencyWord } from "../names/currencies.ts";
import { quoteName } from "../names/quote.ts";
import { wordsOf } from "../names/words.ts";
import type { ColumnInfo } from "../types/schema.ts";
import { keyColumn } from "./count-measures.ts";
import { isMoneyOrQuantity, ofColumn, ofProduct, type Alias, type ChosenMeasure } from "./column-measure.ts";
import { bucketSql, canTell, type TimeColumn } from "./pick-time.ts";
import type { QueryIntent } from "./query-intent.ts";
import type { Reachable } from "./schema-map.ts";

const ORDER_WORDS = ["order", "invoice", "basket", "transaction", "purchase", "sale"];
const VALUE_WORDS = ["value", "size", "amount", "volume"];

/** What an average shares a sum out among. */
export interface RatioNoun {
  readonly word: string;
  /** `order value`, and not `per order`. */
  readonly value: boolean;
}

/** `order` of `order value` and `customer` of `per customer`: each of them has one figure. */
export function ratioNoun(fact: Reachable, intent: QueryIntent): RatioNoun | undefined {
  const order = intent.words.find(
    (word, i) => ORDER_WORDS.includes(word) && VALUE_WORDS.includes(intent.words[i + 1] ?? ""),
  );
  if (order !== undefined) return { word: order, value: true };
  const per = intent.by.find(
    (word) =>
      ["per", "each", "every"].includes(intent.words[intent.words.indexOf(word) - 1] ?? "") &&
      (keyColumn(fact, word) !== undefined ||
        ORDER_WORDS.includes(word) ||
        wordsOf(fact.table.name).at(-1) === word),
  );
  return per === undefined ? undefined : { word: per, value: false };
}

/** `average order value`, `average number of orders per customer`: a sum or count for each of what is named. */
export function ratio(
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

/** `average revenue per month`: what the months have, shared out among them. */
export function perGrain(
  columns: readonly ColumnInfo[],
  intent: QueryIntent,
  time: TimeColumn,
  counted: ChosenMeasure | undefined,
): ChosenMeasure | undefined {
  const { grain, words, aggregate, by, count } = intent;
  if (aggregate !== "avg" || grain === undefined || by.length > 0 || !canTell(time, grain)) return undefined;
  const at = words.findIndex((word) => word === grain);
  const each = at > 0 && ["per", "each", "every", "a"].includes(words[at - 1] ?? "");
  if (
    !each &&
    !words.some((word) => ["daily", "weekly", "monthly", "quarterly", "yearly", "annual"].includes(word))
  )
    return undefined;
  const sums = [...columns.map((column) => ofColumn(column, words, undefined)), ...ofProduct(columns, words)];
  const [largest] = sums.toSorted((a, b) => b.score - a.score);
  const sum = count.length > 0 ? counted : largest;
  if (sum?.additive !== true || (sum.counts !== true && !isMoneyOrQuantity(sum.name))) return undefined;
  const buckets = (alias: Alias): string => bucketSql(time, alias(time.from), grain);
  return {
    name: `average_${sum.name}_per_${grain}`,
    sql: (alias) => `round(${sum.sql(alias)} / nullif(count(DISTINCT ${buckets(alias)}), 0), 2)`,
    score: 5.8,
    additive: false,
    per: grain,
    aggregated: true,
    ...(sum.counts === true ? { counts: true } : {}),
    ...(sum.counted === undefined ? {} : { counted: sum.counted }),
    note: `The average is over each ${grain} that has rows.`,
  };
}

/** The unit stays in the name, where a reader's label is made from it. */
function currency(name: string): string {
  const last = name.split("_").at(-1) ?? "";
  return last !== name && isCurrencyWord(last) ? `_${last}` : "";
}
