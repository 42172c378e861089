import { COUNT_WORDS, wordsOf } from "../names/words.ts";
import { quoteName } from "../names/quote.ts";
import { unitsIn } from "../names/unit-column.ts";
import type { StatementPlans } from "./build-select.ts";
import { isCurrencyWord } from "../names/currencies.ts";
import type { Fact } from "./fact.ts";
import { columnDimension, isSameDimension, type ChosenDimension } from "./pick-dimension.ts";
import type { Scope } from "./scope.ts";

/** The column that says in which of several currencies or units a figure is, where the question names none of them. */
export function mixedUnits(
  { table, tables, measure, dimensions, intent }: Fact,
  scope: Scope,
): ChosenDimension | undefined {
  const words = wordsOf(measure.name);
  // A figure whose name has its currency is in that one, whatever currency was paid in.
  if (measure.counts === true || words.some(isCurrencyWord)) return undefined;
  const quantity = words.some((word) => COUNT_WORDS.includes(word));
  const column = table.columns.find(({ name, role, distinct, samples }) => {
    const says = role === "category" && distinct > 1 ? unitsIn(name, samples.map(String)) : undefined;
    return says === "unit" || (says === "currency" && !quantity);
  });
  const unit = column === undefined ? undefined : columnDimension(column, tables);
  if (column === undefined || unit === undefined) return undefined;
  const one = scope.filters.some(
    ({ from, column: name, values, negated }) =>
      from.table === table && name === column.name && !negated && values.length === 1,
  );
  const grouped = dimensions.length === 1 && dimensions.some((other) => isSameDimension(other, unit));
  return one || (grouped && !intent.share) ? undefined : unit;
}

/** A figure of each unit; they do not add up, so no other group and no growth is told. */
export function byUnit({ intent, dimensions, table }: Fact, unit: ChosenDimension): StatementPlans {
  const plain = dimensions.length === 0 && intent.grain === undefined;
  if (plain && !intent.growth && !intent.trend && !intent.share && !intent.compare)
    return { plans: [{ dimension: unit }], missed: [] };
  const column = table.columns.find(({ name }) => unit.sql("t") === `t.${quoteName(name)}`);
  const such = column?.samples.map(String).join(", ") ?? "";
  return {
    plans: [],
    missed: [
      `one figure over several units (${such}), which do not add up: ask for one of them, such as "in ${String(column?.samples[0])}", or "by ${unit.name}".`,
    ],
  };
}
