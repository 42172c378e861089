import { isNumberType } from "../names/column-role.ts";
import { MONEY_WORDS, wordsOf } from "../names/words.ts";
import type { ColumnInfo } from "../types/schema.ts";
import {
  AVERAGED,
  isMoneyOrQuantity,
  isPrice,
  ofColumn,
  ofProduct,
  type ChosenMeasure,
} from "./column-measure.ts";
import { countMeasures } from "./count-measures.ts";
import type { QueryIntent } from "./query-intent.ts";
import type { TimeColumn } from "./pick-time.ts";
import { perGrain, ratio, ratioNoun } from "./ratio.ts";
import type { Reachable } from "./schema-map.ts";

/** The measure of a table that fits the words of a question best; the count of rows when none is there. */
export function pickMeasure(
  tables: readonly Reachable[],
  intent: QueryIntent,
  time?: TimeColumn,
): ChosenMeasure {
  const [fact] = tables;
  const all = fact?.table.columns ?? [];
  const columns = all.filter((column) => column.role === "measure" && isNumberType(column.type));
  const sums = [
    ...columns.map((column) => {
      const one = ofColumn(column, intent.words, intent.aggregate);
      return one.aggregated !== true && tellsCount(column, intent.count) ? { ...one, counts: true } : one;
    }),
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
  const each = time === undefined ? undefined : perGrain(columns, intent, time, counts[0]);
  if (each !== undefined) return each;
  const word = AVERAGED[intent.aggregate];
  const single = `The ${word} is over single rows of ${fact.table.source}.`;
  if (best.counts === true || !isMoneyOrQuantity(best.name) || isPrice(best.name))
    return intent.grain === undefined || best.aggregated !== true ? best : { ...best, note: single };
  const one = noun?.word ?? intent.grain;
  // One figure of each order or month is another thing than one of each row.
  if (one !== undefined)
    return {
      ...best,
      missed: `the ${word} of one figure for each ${one}; the figures are of single rows.`,
    };
  return { ...best, note: single };
}

const NUMBER_OF = new Set(["number", "no", "nr", "num", "count", "nummer", "anzahl", "antal", "antall"]);

/** `visitor_number` says how many visitors there were. */
function tellsCount({ name }: ColumnInfo, counted: readonly string[]): boolean {
  const words = wordsOf(name);
  return words.some((word) => NUMBER_OF.has(word)) && words.some((word) => counted.includes(word));
}

/** Whether the question names a measure, or money. */
function names(columns: readonly ColumnInfo[], words: readonly string[]): boolean {
  const named = columns.some((column) => wordsOf(column.name).some((word) => words.includes(word)));
  return named || words.some((word) => MONEY_WORDS.includes(word) && word !== "sale");
}

function rowCount(tables: readonly Reachable[]): ChosenMeasure {
  const last = tables[0]?.table.name.split("_").at(-1) ?? "row";
  const name = `number_of_${last.endsWith("s") ? last : `${last}s`}`;
  return { name, sql: () => "count(*)", score: 0, additive: true, counts: true };
}
