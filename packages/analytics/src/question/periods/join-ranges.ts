import type { Token } from "../tokens.ts";
import { COMPARE } from "./compare-words.ts";
import type { Period } from "./period.ts";
import type { PeriodUnit } from "./period-unit.ts";

/** A unit with the period it names. */
export interface DatedUnit {
  readonly unit: PeriodUnit;
  readonly period: Period;
}

export interface JoinedPeriods {
  readonly periods: readonly Period[];
  /** Tokens such as `since` that were read, by index. */
  readonly used: readonly number[];
}

/** `from A to B`, `since A`, `before A`: open and joined stretches; others stay as they are. */
export function joinRanges(
  dated: readonly DatedUnit[],
  tokens: readonly Token[],
  question: string,
): JoinedPeriods {
  const periods: Period[] = [];
  const used: number[] = [];
  for (let i = 0; i < dated.length; i++) {
    const here = dated[i];
    if (here === undefined) continue;
    const next = dated[i + 1];
    if (next !== undefined && isRange(here.unit, next.unit, tokens, question)) {
      periods.push(rangeOf(here.period, next.period));
      for (let at = here.unit.end; at < next.unit.at; at++) used.push(at);
      if (["from", "between"].includes(tokens[here.unit.at - 1]?.fold ?? "")) used.push(here.unit.at - 1);
      i++;
      continue;
    }
    const open = openPeriod(here, tokens);
    periods.push(open?.period ?? here.period);
    used.push(...(open?.used ?? []));
  }
  return { periods, used };
}

/** `from 2025 to 2023` means the same stretch. */
function rangeOf(a: Period, b: Period): Period {
  const [first, last] = (a.from ?? "") <= (b.from ?? "") ? [a, b] : [b, a];
  const label = `${a.label} to ${b.label}`;
  return { from: first.from, until: last.until, label, grain: "range", ends: [first, last] };
}

function openPeriod(
  { unit, period }: DatedUnit,
  tokens: readonly Token[],
): { readonly period: Period; readonly used: readonly number[] } | undefined {
  const { from, until, label } = period;
  const at = unit.at - 1;
  const before = tokens[at]?.fold ?? "";
  const open = (word: string, first: string | undefined, last: string | undefined): Period => ({
    from: first,
    until: last,
    label: `${word} ${label}`,
    grain: "range",
  });
  if (before === "since") return { period: { ...open("since", from, undefined), since: period }, used: [at] };
  if (before === "from" && tokens[unit.end]?.fold === "on")
    return { period: { ...open("since", from, undefined), since: period }, used: [at, unit.end] };
  if (before === "after") return { period: open("after", until, undefined), used: [at] };
  if (before === "before") return { period: open("before", undefined, from), used: [at] };
  if (before === "until" || before === "till") return { period: open("until", undefined, until), used: [at] };
  return undefined;
}

/** `2023 to 2025` is a stretch, except where the two are compared. */
export function isRange(a: PeriodUnit, b: PeriodUnit, tokens: readonly Token[], question: string): boolean {
  const before = tokens[a.at - 1]?.fold ?? "";
  const between = question.slice(tokens[a.end - 1]?.end ?? 0, tokens[b.at]?.start ?? 0).trim();
  if (/^[-–—]$/.test(between)) return true;
  if (/^(to|until|till|through)$/i.test(between))
    return before === "from" || !tokens.some(({ fold }) => COMPARE.has(fold));
  return before === "between" && between.toLowerCase() === "and";
}
