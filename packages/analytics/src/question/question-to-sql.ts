import { humanLabel, lowerFirst } from "../names/labels.ts";
import type { DataSchema } from "../types/schema.ts";
import { buildSelect, type SelectPlan } from "./build-select.ts";
import { chooseFact, type Fact } from "./fact.ts";
import { isSameDimension, pickDimension, type ChosenDimension } from "./pick-dimension.ts";
import { readQuestion, type Asked } from "./read-question.ts";
import { grainFor, wholePeriods } from "./time-grain.ts";

/** A statement that answers a part of a question. */
export interface QuestionSql {
  /** What it shows, such as `Revenue by quarter`. */
  readonly title: string;
  readonly sql: string;
  /** What was left out on purpose; undefined when nothing was. */
  readonly note: string | undefined;
}

const MAX_STATEMENTS = 4;
const TOP = 10;
/** More values than this are not listed one by one; the largest are. */
const MAX_BARS = 30;
const MANY = 20;

/**
 * Statements for a question by fixed rules: no model, no understanding. Words after `by`, `per` or
 * `top` are looked up among column and table names; the table with the best measure, date and joins
 * becomes the fact table; dimension tables are joined by key names (`customer_id`). A general
 * question (sales figures, an overview) gives the measure over time, by a small category, and the
 * top of a large one. Empty when the words meet nothing of the schema.
 */
export function questionToSql(question: string, schema: DataSchema): readonly QuestionSql[] {
  const asked = readQuestion(question);
  const fact = chooseFact(schema, asked.words, asked.by);
  if (fact === undefined) return [];
  const dimensions = asked.by.flatMap((word) => pickDimension(word, fact.tables) ?? []);
  const unique = dimensions.filter(
    (one, i) => dimensions.findIndex((other) => isSameDimension(one, other)) === i,
  );
  const specific = asked.growth || asked.grain !== undefined || unique.length > 0;
  if (!specific && !asked.general && fact.measure.score < 4) return [];
  const plans = specific ? specificPlans(fact, asked, unique) : overviewPlans(fact);
  return plans.slice(0, MAX_STATEMENTS).map((plan) => toStatement(fact, withYears(plan, asked)));
}

/** What a table or a schema shows in general: over time, by a small category, the top of a large one. */
export function overviewPlans(fact: Fact): readonly SelectPlan[] {
  const plans: SelectPlan[] = [];
  if (fact.date !== undefined) plans.push(overTime(fact, grainFor(fact.date.column)));
  const small = smallCategory(fact);
  if (small !== undefined) plans.push({ dimension: small });
  const large = pickDimension("product", fact.tables) ?? pickDimension("customer", fact.tables);
  if (large !== undefined && (small === undefined || !isSameDimension(large, small)))
    plans.push({ dimension: large, limit: TOP });
  if (plans.length === 0) plans.push({});
  return plans;
}

function specificPlans(
  fact: Fact,
  asked: Asked,
  dimensions: readonly ChosenDimension[],
): readonly SelectPlan[] {
  const plans: SelectPlan[] = [];
  const time = fact.date !== undefined && (asked.grain !== undefined || asked.growth);
  const grain = asked.grain ?? (fact.date === undefined ? undefined : grainFor(fact.date.column));
  if (time && grain !== undefined) {
    const [only] = dimensions;
    const together = asked.together && only !== undefined && dimensions.length === 1;
    if (together) return [{ ...overTime(fact, grain), dimension: only }];
    plans.push(overTime(fact, grain));
    if (asked.growth) plans.push({ ...overTime(fact, "year"), growth: true });
  }
  for (const dimension of dimensions) {
    const limit = asked.top ?? (dimension.distinct > MAX_BARS ? MANY : undefined);
    plans.push({ dimension, ...(limit === undefined ? {} : { limit }) });
  }
  return plans.length === 0 ? overviewPlans(fact) : plans;
}

function overTime(fact: Fact, grain: NonNullable<SelectPlan["grain"]>): SelectPlan {
  const range = fact.date === undefined ? undefined : wholePeriods(fact.date.column, grain);
  return { grain, ...(range === undefined ? {} : { range }) };
}

/** A region, a segment or a category, else the category of the fact table with the fewest values. */
function smallCategory(fact: Fact): ChosenDimension | undefined {
  const named = ["region", "category", "segment", "channel"]
    .flatMap((word) => pickDimension(word, fact.tables) ?? [])
    .filter((one) => one.distinct > 1 && one.distinct <= 30);
  if (named[0] !== undefined) return named[0];
  const column = fact.table.columns
    .filter((one) => one.role === "category" && one.distinct > 1 && one.distinct <= 30)
    .toSorted((a, b) => a.distinct - b.distinct)[0];
  return column === undefined ? undefined : pickDimension(column.name.toLowerCase(), fact.tables);
}

/** Years the question names replace the choice of whole periods. */
function withYears(plan: SelectPlan, asked: Asked): SelectPlan {
  if (asked.years === undefined || plan.growth === true) return plan;
  const { range: _, ...rest } = plan;
  return { ...rest, years: asked.years };
}

function toStatement(fact: Fact, plan: SelectPlan): QuestionSql {
  return { title: titleOf(fact, plan), sql: buildSelect(fact, plan), note: plan.range?.note };
}

function titleOf(fact: Fact, plan: SelectPlan): string {
  const measure = humanLabel(fact.measure.name);
  const parts = [plan.grain, plan.dimension?.name]
    .filter((part) => part !== undefined)
    .map((part) => lowerFirst(humanLabel(part)));
  const years =
    plan.years === undefined ? periodOf(fact, plan) : ` in ${[...new Set(plan.years)].join(" to ")}`;
  if (plan.growth === true) return `Growth of ${lowerFirst(measure)} by ${String(plan.grain)}${years}`;
  if (plan.limit !== undefined)
    return `Top ${plan.limit} ${plural(parts.join(" and "))} by ${lowerFirst(measure)}${years}`;
  return parts.length === 0 ? `${measure}${years}` : `${measure} by ${parts.join(" and ")}${years}`;
}

/** Totals over all of the data say which years they are of; a series in time shows it. */
function periodOf(fact: Fact, plan: SelectPlan): string {
  if (plan.grain !== undefined || fact.date === undefined) return "";
  const { min, max } = fact.date.column;
  const years = [min, max].map((value) => /^\d{4}(?=-)/.exec(String(value))?.[0]);
  if (years.includes(undefined)) return "";
  return `, ${[...new Set(years)].join(" to ")}`;
}

function plural(word: string): string {
  if (word.endsWith("s")) return word;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
