import type { SelectPlan } from "./build-select.ts";
import type { Fact } from "./fact.ts";
import { isSameDimension, pickDimension, type ChosenDimension } from "./pick-dimension.ts";
import { quoteName } from "../names/quote.ts";
import { canTell, type TimeColumn } from "./pick-time.ts";
import type { Period } from "./read-periods.ts";
import type { Asked } from "./read-question.ts";
import type { Scope } from "./scope.ts";
import { grainFor, wholePeriods } from "./time-grain.ts";

const TOP = 10;
/** More values than this are not listed one by one; the largest are. */
const MAX_BARS = 30;
const MANY = 20;

/** The statements that answer a question, the most direct first. */
export function planStatements(fact: Fact, scope: Scope): readonly SelectPlan[] {
  const { asked } = fact;
  const compared = comparedPlans(fact, asked, scope);
  if (compared.length > 0) return compared;
  const shared = asked.share && fact.measure.additive;
  const kept = scope.filters.some((filter) => !filter.negated);
  if (shared && kept && fact.dimensions.length === 0 && asked.grain === undefined) return [{ part: true }];
  const timed = fact.time !== undefined && (asked.grain !== undefined || asked.growth);
  if (timed || fact.dimensions.length > 0) return specificPlans(fact, asked, scope);
  if (shared)
    return overviewPlans(fact, scope).flatMap(({ grain, ...plan }) =>
      grain ? [] : [{ ...plan, share: true }],
    );
  const figure =
    asked.aggregate !== undefined || fact.measure.counts === true || fact.measure.per !== undefined;
  if (figure) return [{}];
  const narrow = scope.filters.length + scope.periods.length + scope.recurring.length > 0;
  const overview = overviewPlans(fact, scope);
  if (!narrow && !asked.total) return inLastYear(fact, overview);
  const rest = overview.filter((plan) => plan.dimension !== undefined || plan.grain !== undefined);
  return [{}, ...listed(scope), ...rest];
}

/** What a table or a schema shows in general: over time, by a small category, the top of a large one. */
export function overviewPlans(fact: Fact, scope: Scope): readonly SelectPlan[] {
  const plans: SelectPlan[] = [];
  if (fact.time !== undefined) plans.push(overTime(fact, scope, usualGrain(fact.time, scope)));
  const open = (one: ChosenDimension): boolean => !isFiltered(one, scope);
  const small = smallCategory(fact, open);
  if (small !== undefined) plans.push({ dimension: small });
  const large = pickDimension("product", fact.tables) ?? pickDimension("customer", fact.tables);
  if (large !== undefined && open(large) && (small === undefined || !isSameDimension(large, small)))
    plans.push({ dimension: large, limit: TOP });
  if (plans.length === 0) plans.push({});
  return plans;
}

/** Who leads is told for the last whole year: a sum over all years hides what is new. */
function inLastYear({ time }: Fact, plans: readonly SelectPlan[]): readonly SelectPlan[] {
  const whole = time?.form === "date" ? wholePeriods(time.column, "year") : undefined;
  if (whole === undefined) return plans;
  const year = Number(whole.until.slice(0, 4)) - 1;
  const period: Period = { from: `${year}-01-01`, until: whole.until, label: String(year), grain: "year" };
  return plans.map((plan) => (plan.dimension === undefined ? plan : { ...plan, period }));
}

/** Years beside one another, or the values that were named. */
function comparedPlans(fact: Fact, asked: Asked, scope: Scope): readonly SelectPlan[] {
  if (!asked.compare) return [];
  const { time, dimensions } = fact;
  const [dimension] = dimensions;
  const years = scope.periods.length > 1 && scope.periods.every((period) => period.grain === "year");
  const grain = time === undefined || asked.grain === undefined ? undefined : atMost(time, asked.grain);
  if (time !== undefined && scope.periods.length > 1) {
    if (years && grain !== "year" && (grain !== undefined || dimension !== undefined))
      return [{ years: true, ...(grain === undefined ? { dimension } : { grain }) } as SelectPlan];
    const own = scope.periods[0]?.grain;
    const same = own !== "range" && own !== "day" && scope.periods.every((period) => period.grain === own);
    if (same && own !== undefined && canTell(time, own) && (own !== "half" || time.finest === "half"))
      return [{ grain: own, ...(dimension === undefined ? {} : { dimension }) }];
  }
  const named = listed(scope);
  if (named.length === 0) return [];
  return grain === undefined ? named : named.map((plan) => ({ ...plan, ...overTime(fact, scope, grain) }));
}

/** By the column of which several values were named. */
function listed(scope: Scope): readonly SelectPlan[] {
  const several = scope.filters.filter((filter) => !filter.negated && filter.values.length > 1);
  return several.slice(0, 1).map(({ from, column, values }) => ({
    dimension: {
      name: column.toLowerCase(),
      from,
      sql: (alias: string) => `${alias}.${quoteName(column)}`,
      distinct: values.length,
    },
  }));
}

function specificPlans(fact: Fact, asked: Asked, scope: Scope): readonly SelectPlan[] {
  const plans: SelectPlan[] = [];
  const { time, dimensions } = fact;
  const order = asked.ascending ? { ascending: true } : {};
  const share = asked.share && fact.measure.additive ? { share: true } : {};
  if (time !== undefined && (asked.grain !== undefined || asked.growth)) {
    const grain = asked.grain === undefined ? usualGrain(time, scope) : atMost(time, asked.grain);
    const [only] = dimensions;
    if (asked.together && only !== undefined && dimensions.length === 1)
      return [{ ...overTime(fact, scope, grain), dimension: only }];
    const years = asked.growth && fact.measure.additive ? yearsToCompare(fact, scope) : undefined;
    if (years !== undefined && dimensions.length > 0)
      return dimensions.map((dimension) => ({
        dimension,
        change: years,
        ...order,
        ...most(asked, dimension),
      }));
    plans.push({ ...overTime(fact, scope, grain), ...share });
    if (asked.growth && canTell(time, "year") && fact.measure.additive)
      plans.push({ ...overTime(fact, { ...scope, periods: [], recurring: [] }, "year"), growth: true });
  }
  for (const dimension of dimensions)
    plans.push({ dimension, ...order, ...share, ...most(asked, dimension) });
  return plans.length === 0 ? overviewPlans(fact, scope) : plans;
}

function most(asked: Asked, dimension: ChosenDimension): { readonly limit?: number } {
  const limit = asked.top ?? (dimension.distinct > MAX_BARS ? MANY : undefined);
  return limit === undefined ? {} : { limit };
}

/** Whole periods, where the question names none. */
function overTime(fact: Fact, scope: Scope, grain: TimeColumn["finest"]): SelectPlan {
  const named = scope.periods.length + scope.recurring.length > 0;
  const whole = fact.time?.form === "date" && grain !== "half" && !named;
  const range = whole && fact.time !== undefined ? wholePeriods(fact.time.column, grain) : undefined;
  return { grain, ...(range === undefined ? {} : { range }) };
}

/** The grain that was asked for, or the finest the data has. */
export function atMost(time: TimeColumn, grain: TimeColumn["finest"]): TimeColumn["finest"] {
  return canTell(time, grain) ? grain : time.finest;
}

function usualGrain(time: TimeColumn, scope: Scope): TimeColumn["finest"] {
  // `in March` of every year: the years beside one another.
  if (scope.recurring.length > 0) return "year";
  if (time.form !== "date") return time.finest === "day" ? "month" : time.finest;
  const [only, other] = scope.periods;
  if (only?.grain === "quarter" && other === undefined) return "month";
  if (only?.grain === "month" && other === undefined) return "day";
  return grainFor(time.column);
}

/** The years that were named, or the last two that are whole. */
function yearsToCompare(fact: Fact, scope: Scope): readonly [number, number] | undefined {
  const years = scope.periods.flatMap(({ from, until }) => [
    ...(from === undefined ? [] : [Number(from.slice(0, 4))]),
    // The first day after it: the year before, when that is New Year.
    ...(until === undefined ? [] : [Number(until.slice(0, 4)) - (until.endsWith("-01-01") ? 1 : 0)]),
  ]);
  if (years.length > 0) {
    const [first, last] = [Math.min(...years), Math.max(...years)];
    return first === last ? [last - 1, last] : [first, last];
  }
  if (fact.time?.form !== "date") return undefined;
  const whole = wholePeriods(fact.time.column, "year");
  const last = whole === undefined ? undefined : Number(whole.until.slice(0, 4)) - 1;
  return last === undefined ? undefined : [last - 1, last];
}

function isFiltered(dimension: ChosenDimension, { filters }: Scope): boolean {
  return filters.some(
    (filter) =>
      !filter.negated &&
      filter.from.table === dimension.from.table &&
      dimension.sql("t") === `t.${quoteName(filter.column)}`,
  );
}

/** A region, a segment or a category, else the category of the fact table with the fewest values. */
function smallCategory(
  fact: Fact,
  open: (dimension: ChosenDimension) => boolean,
): ChosenDimension | undefined {
  const named = ["region", "category", "segment", "channel"]
    .flatMap((word) => pickDimension(word, fact.tables) ?? [])
    .filter((one) => one.distinct > 1 && one.distinct <= 30 && open(one));
  if (named[0] !== undefined) return named[0];
  const columns = fact.table.columns
    .filter((one) => one.role === "category" && one.distinct > 1 && one.distinct <= 30)
    .toSorted((a, b) => a.distinct - b.distinct);
  return columns.flatMap((column) => pickDimension(column.name.toLowerCase(), fact.tables) ?? []).find(open);
}
