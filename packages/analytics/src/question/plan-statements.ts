import type { SelectPlan, StatementPlans } from "./build-select.ts";
import type { Fact } from "./fact.ts";
import { isSameDimension, pickDimension, type ChosenDimension } from "./pick-dimension.ts";
import { humanLabel } from "../names/labels.ts";
import { quoteName } from "../names/quote.ts";
import { comparedPeriods } from "./compared-periods.ts";
import { atMost, canTell, type TimeColumn } from "./pick-time.ts";
import type { Period } from "./periods/period.ts";
import type { QueryIntent } from "./query-intent.ts";
import type { Scope } from "./scope.ts";
import { byUnit, mixedUnits } from "./mixed-units.ts";
import { grainFor, wholePeriods } from "./time-grain.ts";

const TOP = 10;
/** More values than this are not listed one by one; the largest are. */
const MAX_BARS = 30;
const MANY = 20;

/** The statements that answer a question. */
export function planStatements(fact: Fact, scope: Scope): StatementPlans {
  const unit = mixedUnits(fact, scope);
  if (unit !== undefined) return byUnit(fact, unit);
  const growth = fact.intent.growth ? growthPlans(fact, scope) : { plans: [], missed: [] };
  return growth.plans.length > 0 ? growth : { plans: otherPlans(fact, scope), missed: growth.missed };
}

function otherPlans(fact: Fact, scope: Scope): readonly SelectPlan[] {
  const { intent } = fact;
  const compared = comparedPlans(fact, intent, scope);
  if (compared.length > 0) return compared;
  const shared = intent.share && fact.measure.additive;
  const kept = scope.filters.some((filter) => !filter.negated);
  if (shared && kept && fact.dimensions.length === 0 && intent.grain === undefined) return [{ part: true }];
  const timed = fact.time !== undefined && (intent.grain !== undefined || intent.trend || intent.growth);
  if (timed || fact.dimensions.length > 0) return specificPlans(fact, intent, scope);
  if (shared)
    return overviewPlans(fact, scope).flatMap(({ grain, ...plan }) =>
      grain ? [] : [{ ...plan, share: true }],
    );
  const figure =
    intent.aggregate !== undefined || fact.measure.counts === true || fact.measure.per !== undefined;
  if (figure) return [wholeFigure(fact, scope)];
  const narrow = scope.filters.length + scope.periods.length + scope.recurring.length > 0;
  if (intent.direct && (narrow || intent.total)) return directPlans(scope, fact.time, intent.total);
  const overview = overviewPlans(fact, scope);
  if (!narrow && !intent.total) return inLastYear(fact, overview);
  const rest = overview.filter((plan) => plan.dimension !== undefined || plan.grain !== undefined);
  return [{}, ...listed(scope), ...rest];
}

/** One figure; where several values or periods are named and no total, one for each. */
function directPlans(scope: Scope, time: TimeColumn | undefined, total: boolean): readonly SelectPlan[] {
  const [first, second] = scope.periods;
  const named = listed(scope);
  const same = scope.periods.every(({ grain }) => grain === first?.grain);
  const grain = first?.grain;
  if (second === undefined || !same || grain === undefined || grain === "range" || named.length > 0)
    return named.length > 0 && !total ? named : [{}];
  return time !== undefined && canTell(time, grain) && (grain !== "half" || time.finest === "half")
    ? [{ grain }]
    : [{}];
}

/** An average of months counts whole ones, where the question names no time. */
function wholeFigure({ time, measure: { per } }: Fact, scope: Scope): SelectPlan {
  const grain = per === "month" || per === "quarter" || per === "year" ? per : undefined;
  const open = scope.periods.length + scope.recurring.length === 0;
  const range =
    open && grain !== undefined && time?.form === "date" ? wholePeriods(time.column, grain) : undefined;
  return range === undefined ? {} : { range };
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
function comparedPlans(fact: Fact, intent: QueryIntent, scope: Scope): readonly SelectPlan[] {
  if (!intent.compare) return [];
  const { time, dimensions } = fact;
  const [dimension] = dimensions;
  const years = scope.periods.length > 1 && scope.periods.every((period) => period.grain === "year");
  const grain = time === undefined || intent.grain === undefined ? undefined : atMost(time, intent.grain);
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

/** Two periods side by side, or every period against the one before where none is named. */
function growthPlans(fact: Fact, scope: Scope): StatementPlans {
  const { intent, time, measure } = fact;
  const none = (why: string): StatementPlans => ({
    plans: [],
    missed: why === "" ? [] : [`growth: ${why}.`],
  });
  if (time === undefined) return none("the data has no dates");
  if (!measure.additive) return none(`${humanLabel(measure.name)} does not add up over a period`);
  const named = listed(scope)
    .map(({ dimension }) => dimension)
    .filter((one) => one !== undefined);
  const dimensions = fact.dimensions.length > 0 ? fact.dimensions : named;
  const timed = scope.periods.length + scope.recurring.length > 0;
  if (intent.grain !== undefined || (!timed && dimensions.length === 0)) {
    const grain = intent.grain ?? "year";
    if (timed || dimensions.length > 0 || !canTell(time, grain))
      return none(`growth by ${grain} is told over all of the data and without groups only`);
    const series = overTime(fact, scope, intent.grain ?? usualGrain(time, scope));
    return { plans: [series, { ...overTime(fact, scope, grain), growth: true }], missed: [] };
  }
  const { pair, missed } = comparedPeriods(time, scope, intent.compare);
  if (pair === undefined) return none(missed);
  const order = intent.ascending ? { ascending: true } : {};
  if (dimensions.length === 0) return { plans: [{ change: pair }], missed: [] };
  return {
    plans: dimensions.map((dimension) => ({ dimension, change: pair, ...order, ...most(intent, dimension) })),
    missed: [],
  };
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

function specificPlans(fact: Fact, intent: QueryIntent, scope: Scope): readonly SelectPlan[] {
  const plans: SelectPlan[] = [];
  const { time, dimensions } = fact;
  const order = intent.ascending ? { ascending: true } : {};
  const share = intent.share && fact.measure.additive ? { share: true } : {};
  if (time !== undefined && (intent.grain !== undefined || intent.trend || intent.growth)) {
    const grain = intent.grain === undefined ? usualGrain(time, scope) : atMost(time, intent.grain);
    const [only] = dimensions;
    if (isRankedTime(fact, grain))
      return [{ ...overTime(fact, scope, grain), ranked: true, limit: intent.top ?? TOP, ...order }];
    const crossed = intent.together || (intent.trend && intent.grain === undefined);
    if (crossed && only !== undefined && dimensions.length === 1)
      return [{ ...overTime(fact, scope, grain), dimension: only }];
    plans.push({ ...overTime(fact, scope, grain), ...share });
  }
  for (const dimension of dimensions)
    plans.push({ dimension, ...order, ...share, ...most(intent, dimension) });
  return plans.length === 0 ? overviewPlans(fact, scope) : plans;
}

/** `which month had the highest revenue`: whole names of months, quarters and years are put in order of size. */
function isRankedTime({ intent, dimensions, time }: Fact, grain: TimeColumn["finest"]): boolean {
  return (
    intent.rankedGrain &&
    dimensions.length === 0 &&
    grain === intent.grain &&
    (time?.form === "date" || (grain !== "day" && grain !== "week"))
  );
}

function most(intent: QueryIntent, dimension: ChosenDimension): { readonly limit?: number } {
  const limit = intent.top ?? (dimension.distinct > MAX_BARS ? MANY : undefined);
  return limit === undefined ? {} : { limit };
}

/** Whole periods, where the question names none. */
function overTime(fact: Fact, scope: Scope, grain: TimeColumn["finest"]): SelectPlan {
  const named = scope.periods.length + scope.recurring.length > 0;
  const whole = fact.time?.form === "date" && grain !== "half" && !named;
  const range = whole && fact.time !== undefined ? wholePeriods(fact.time.column, grain) : undefined;
  return { grain, ...(range === undefined ? {} : { range }) };
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
