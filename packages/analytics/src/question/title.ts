import { humanLabel, lowerFirst } from "../names/labels.ts";
import { oneLine } from "../names/one-line.ts";
import { scopeOfPlan, type SelectPlan } from "./build-select.ts";
import type { Fact } from "./fact.ts";
import { filterTitle, periodTitle, type Scope } from "./scope.ts";

/** A chart takes no longer one. */
const MAX_TITLE = 120;

/** What a statement shows, such as `Revenue (DACH) by quarter in 2024`. */
export function titleOf(fact: Fact, plan: SelectPlan, scope: Scope): string {
  return oneLine(wholeTitle(fact, plan, scope), MAX_TITLE);
}

function wholeTitle(fact: Fact, plan: SelectPlan, scope: Scope): string {
  const measure = `${humanLabel(fact.measure.name)}${plan.part === true ? "" : filterTitle(scope.filters)}`;
  const grain = plan.grain === "half" ? "half-year" : plan.grain;
  const parts = [grain, plan.dimension?.name]
    .filter((part) => part !== undefined)
    .map((part) => lowerFirst(humanLabel(part)));
  const when = whenOf(fact, plan, scope);
  const by = parts.length === 0 ? "" : ` by ${parts.join(" and ")}`;
  if (plan.part === true)
    return `Share of${filterTitle(scope.filters).replace(/^ \((.*)\)$/, " $1")} in ${lowerFirst(measure)}${when}`;
  if (plan.change !== undefined)
    return `Growth of ${lowerFirst(measure)}${by}, ${plan.change.map(({ label }) => label).join(" to ")}`;
  if (plan.growth === true) return `Growth of ${lowerFirst(measure)} by ${String(grain)}`;
  if (plan.share === true) return `Share of ${lowerFirst(measure)}${by}${when}`;
  if (plan.limit !== undefined) {
    const end = plan.ascending === true ? "Lowest" : "Top";
    return `${end} ${plan.limit} ${plural(parts.join(" and "))} by ${lowerFirst(measure)}${when}`;
  }
  return `${measure}${by}${when}`;
}

/** Totals over all of the data say which years they are of; a series in time shows it. */
function whenOf(fact: Fact, plan: SelectPlan, scope: Scope): string {
  const said = periodTitle(plan.period === undefined ? scope : scopeOfPlan(plan, scope));
  if (said !== "" || plan.grain !== undefined || fact.time === undefined) return said;
  const { min, max } = fact.time.column;
  const years = [min, max].map((value) => /^\d{4}(?=-|$)/.exec(String(value))?.[0]);
  if (years.includes(undefined)) return "";
  return `, ${[...new Set(years)].join(" to ")}`;
}

function plural(word: string): string {
  if (word.endsWith("s")) return word;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
