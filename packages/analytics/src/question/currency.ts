import { COUNT_WORDS, wordsOf } from "../names/words.ts";
import { quoteName } from "../names/quote.ts";
import type { Fact } from "./fact.ts";
import { isSameDimension, pickDimension, type ChosenDimension } from "./pick-dimension.ts";
import type { StatementPlans } from "./plan-statements.ts";
import type { Scope } from "./scope.ts";

const CURRENCY = new Set(["currency", "ccy", "wahrung", "waehrung", "valuta", "devise", "moneda"]);

/** The column that says in which of several currencies a figure is, where the question names none of them. */
export function mixedCurrency(
  { table, tables, measure, dimensions }: Fact,
  scope: Scope,
): ChosenDimension | undefined {
  const counts = measure.counts === true || wordsOf(measure.name).some((word) => COUNT_WORDS.includes(word));
  const column = table.columns.find(
    (one) =>
      one.role === "category" && one.distinct > 1 && wordsOf(one.name).some((word) => CURRENCY.has(word)),
  );
  const word = column === undefined ? undefined : wordsOf(column.name).find((one) => CURRENCY.has(one));
  const currency = word === undefined ? undefined : pickDimension(word, tables);
  if (counts || column === undefined || currency === undefined) return undefined;
  const one = scope.filters.some(
    ({ from, column: name, values, negated }) =>
      from.table === table && name === column.name && !negated && values.length === 1,
  );
  const grouped = dimensions.length === 1 && dimensions.some((other) => isSameDimension(other, currency));
  return one || grouped ? undefined : currency;
}

/** A figure of each currency; they do not add up, so no other group and no growth is told. */
export function byCurrency({ intent, dimensions, table }: Fact, currency: ChosenDimension): StatementPlans {
  const plain = dimensions.length === 0 && intent.grain === undefined;
  if (plain && !intent.growth && !intent.trend && !intent.share && !intent.compare)
    return { plans: [{ dimension: currency }], missed: [] };
  const column = table.columns.find(({ name }) => currency.sql("t") === `t.${quoteName(name)}`);
  const such = column?.samples.map(String).join(", ") ?? "";
  return {
    plans: [],
    missed: [
      `one figure over several currencies (${such}), which do not add up: ask for one of them, such as "in ${String(column?.samples[0])}", or "by currency".`,
    ],
  };
}
