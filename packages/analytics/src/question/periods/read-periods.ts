import { isLeftOut } from "../negation.ts";
import type { Token } from "../tokens.ts";
import { COMPARE } from "./compare-words.ts";
import { isRange, joinRanges, type DatedUnit } from "./join-ranges.ts";
import { partLabel, periodOf, type Period, type Recurring } from "./period.ts";
import { unitAt, type PeriodUnit } from "./period-unit.ts";
import { precedingUnit, relativeUnit } from "./relative-unit.ts";
import { shareYears } from "./share-years.ts";

export interface PeriodReading {
  readonly periods: readonly Period[];
  readonly recurring: readonly Recurring[];
  /** Stretches that cannot be told, such as `past 3 months` and `except 2023`. */
  readonly unread: readonly string[];
  /** Where a period that was read begins, by the index of its token. */
  readonly starts: readonly number[];
  /** Tokens that were read, by index. */
  readonly used: ReadonlySet<number>;
}

export interface PeriodOptions {
  /** Which tokens mean nothing else. All, when absent. */
  readonly free?: (index: number) => boolean;
  /** ISO day that `last year` is told from; without it that is not read. */
  readonly today?: string | undefined;
}

const MAX_PERIODS = 12;
/** Before a period they set a bound that no rule reads. */
const BOUNDS = new Set(["by", "to", "through", "over", "under", "than", "around"]);
/** Before `March` without a year they name no part of every year. */
const OPEN = new Set(["since", "after", "before", "until", "till"]);
const JOINS = new Set(["and", "or", "nor", "und", "in", "the"]);

/** Years, halves, quarters, months and days that a question names, alone, in lists and as ranges. */
export function readPeriods(
  question: string,
  tokens: readonly Token[],
  { free = () => true, today }: PeriodOptions = {},
): PeriodReading {
  const named = unitsOf(tokens, free, today);
  const units = shareYears(named, tokens);
  const used = new Set(named.flatMap(({ at, end }) => indexes(at, end)));
  const recurring: Recurring[] = [];
  const unread: string[] = [];
  const dated: DatedUnit[] = [];
  const refuse = (at: number, end: number): void => {
    unread.push(question.slice(tokens[at]?.start, tokens[end - 1]?.end));
    for (const i of indexes(at, end)) used.add(i);
  };
  units.forEach((unit, i) => {
    const { at, end, part, year } = unit;
    const months = recurringRange(units[i - 1], unit, tokens, question);
    if (months !== undefined) {
      recurring.push(...months);
      for (const n of indexes(units[i - 1]?.end ?? at, at)) used.add(n);
      const first = (units[i - 1]?.at ?? at) - 1;
      if (["from", "between"].includes(tokens[first]?.fold ?? "")) used.add(first);
      return;
    }
    if (recurringRange(unit, units[i + 1], tokens, question) !== undefined) return;
    const from = boundBefore(units, i, tokens, question);
    if (unit.unread === true || from < at || isAfterPart(units[i - 1], unit, tokens)) refuse(from, end);
    else if (year !== undefined) dated.push({ unit, period: periodOf(year, part, unit.day) });
    else if (part?.grain === "quarter" || part?.grain === "month")
      recurring.push({ part: part.grain, number: part.number, label: partLabel(part) });
    else refuse(at, end);
  });
  const joined = joinRanges(dated, tokens, question);
  for (const i of joined.used) used.add(i);
  return {
    periods: unique(joined.periods),
    recurring: unique(recurring),
    unread,
    starts: units.map(({ at }) => at),
    used,
  };
}

/** `March 2024 and 2025`: all of 2025, or its March? */
function isAfterPart(last: PeriodUnit | undefined, unit: PeriodUnit, tokens: readonly Token[]): boolean {
  if (last?.part === undefined || last.year === undefined || unit.year === undefined) return false;
  const between = tokens.slice(last.end, unit.at);
  return (
    unit.part === undefined &&
    unit.end === unit.at + 1 &&
    between.length < 2 &&
    between.every(({ fold }) => ["and", "or", "und"].includes(fold))
  );
}

/** `March to May` of every year: the parts in between too. */
function recurringRange(
  first: PeriodUnit | undefined,
  last: PeriodUnit | undefined,
  tokens: readonly Token[],
  question: string,
): readonly Recurring[] | undefined {
  if (first?.part === undefined || last?.part === undefined) return undefined;
  if (first.year !== undefined || last.year !== undefined || first.unread === true) return undefined;
  const { grain, number: from } = first.part;
  const count = last.part.number - from + 1;
  if (grain === "half" || last.part.grain !== grain || count < 2) return undefined;
  if (!isRange(first, last, tokens, question) || isLeftOut(tokens, first.at) !== undefined) return undefined;
  return Array.from({ length: count }, (_, i) => {
    const number = from + i;
    return { part: grain, number, label: partLabel({ grain, number }) };
  });
}

/** The first token of a bound that no rule reads, such as `except`; where none is, the unit's own. */
function boundBefore(
  units: readonly PeriodUnit[],
  i: number,
  tokens: readonly Token[],
  question: string,
): number {
  const unit = units[i];
  if (unit === undefined) return 0;
  const { at } = unit;
  const last = units[i - 1];
  const next = units[i + 1];
  const listed = last !== undefined && tokens.slice(last.end, at).every(({ fold }) => JOINS.has(fold));
  const negation = isLeftOut(tokens, at);
  if (negation !== undefined) return negation;
  if (listed && last !== undefined && isLeftOut(tokens, last.at) !== undefined) return at - 1;
  const before = tokens[at - 1]?.fold ?? "";
  const ends = last !== undefined && isRange(last, unit, tokens, question);
  if (unit.year === undefined) {
    // `March to May` of every year names April too.
    const begins = next !== undefined && next.year === undefined && isRange(unit, next, tokens, question);
    return OPEN.has(before) || ends || begins ? Math.max(0, at - 1) : at;
  }
  if (ends || !BOUNDS.has(before)) return at;
  return before === "to" && tokens.some(({ fold }) => COMPARE.has(fold)) ? at : at - 1;
}

function unitsOf(
  tokens: readonly Token[],
  free: (index: number) => boolean,
  today: string | undefined,
): readonly PeriodUnit[] {
  const units: PeriodUnit[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!free(at)) continue;
    const unit =
      precedingUnit(tokens, at, shareYears(units, tokens).at(-1)) ??
      relativeUnit(tokens, at, today) ??
      unitAt(tokens, at);
    if (unit === undefined) continue;
    units.push(unit);
    at = unit.end - 1;
  }
  return units;
}

const indexes = (from: number, until: number): readonly number[] =>
  Array.from({ length: until - from }, (_, i) => from + i);

function unique<T extends { readonly label: string }>(list: readonly T[]): readonly T[] {
  return list
    .filter((one, i) => list.findIndex(({ label }) => label === one.label) === i)
    .slice(0, MAX_PERIODS);
}
