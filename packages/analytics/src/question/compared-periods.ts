import { periodOf, yearBefore, type Period } from "./periods/period.ts";
import { dayOf } from "./periods/written-day.ts";
import { rangeSql, type TimeColumn } from "./pick-time.ts";
import type { Scope } from "./scope.ts";

/** Two periods to set side by side, the earlier first; or why there are none, for a person. */
export interface ComparedPeriods {
  readonly pair: readonly [Period, Period] | undefined;
  readonly missed: string;
}

const DAY_MS = 86_400_000;
/** How much of a period's ends may lack data for it to count as whole. */
const SLACK_DAYS = { year: 15, half: 10, quarter: 7, month: 3, day: 0, range: 0 } as const;

/**
 * The periods that growth is told between: two of a kind that are named, the ends of a stretch, a period
 * and the same of the year before, or the last two whole years. `each` is set where the question wants the
 * growth of every period it names, which is not one comparison.
 */
export function comparedPeriods(
  time: TimeColumn,
  { periods, recurring }: Pick<Scope, "periods" | "recurring">,
  each: boolean,
): ComparedPeriods {
  const first = dayOf(String(time.column.min), false);
  const last = dayOf(String(time.column.max), true);
  const pair = recurring.length > 0 ? undefined : pairOf(periods, lastWholeYear(last), each);
  if (pair === undefined || pair[0].grain !== pair[1].grain || (pair[0].from ?? "") >= (pair[1].from ?? ""))
    return { pair: undefined, missed: "say the two years, quarters or months to compare" };
  for (const { from = "", until = "", label, grain } of pair) {
    const slack = SLACK_DAYS[grain] * DAY_MS;
    if (rangeSql(time, "t", { from, until }) === undefined)
      return { pair: undefined, missed: `${time.column.name} does not tell ${label}` };
    if (first - slack > Date.parse(from) || Date.parse(until) - DAY_MS > last + slack)
      return {
        pair: undefined,
        missed: `${label} is not wholly in the data, which covers ${day(first)} to ${day(last)}`,
      };
  }
  return { pair, missed: "" };
}

function pairOf(
  periods: readonly Period[],
  wholeYear: number,
  each: boolean,
): readonly [Period, Period] | undefined {
  const [one, two, three] = periods;
  if (one === undefined)
    return Number.isNaN(wholeYear) ? undefined : [periodOf(wholeYear - 1), periodOf(wholeYear)];
  if (three !== undefined || (two !== undefined && each)) return undefined;
  if (two !== undefined) return (one.from ?? "") <= (two.from ?? "") ? [one, two] : [two, one];
  if (one.ends !== undefined) return one.ends;
  if (one.since?.grain === "year") return [one.since, periodOf(wholeYear)];
  const before = yearBefore(one);
  return before === undefined ? undefined : [before, one];
}

/** The year that ends with the data, or the one before. */
function lastWholeYear(last: number): number {
  const year = new Date(last).getUTCFullYear();
  return last + SLACK_DAYS.year * DAY_MS >= Date.UTC(year, 11, 31) ? year : year - 1;
}

const day = (ms: number): string => (Number.isNaN(ms) ? "nothing" : new Date(ms).toISOString().slice(0, 10));
