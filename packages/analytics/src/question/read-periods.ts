import type { Token } from "./tokens.ts";

/** A stretch of time, first day included, `until` not; ISO dates. Open ends are undefined. */
export interface Period {
  readonly from: string | undefined;
  readonly until: string | undefined;
  /** As a person says it, such as `Q3 2025`. */
  readonly label: string;
  readonly grain: "year" | "half" | "quarter" | "month" | "day" | "range";
}

/** `in March` without a year: that part of every year. */
export interface Recurring {
  readonly part: "quarter" | "month";
  readonly number: number;
  readonly label: string;
}

export interface AskedPeriods {
  readonly periods: readonly Period[];
  readonly recurring: readonly Recurring[];
  /** Stretches that cannot be told, such as `past 3 months`. */
  readonly unread: readonly string[];
  /** Tokens that were read, by index. */
  readonly used: ReadonlySet<number>;
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
/** Words that set two things side by side. */
export const COMPARE: ReadonlySet<string> = new Set([
  "compare",
  "compared",
  "comparing",
  "comparison",
  "versus",
  "vs",
  "against",
  "yoy",
]);
const ORDINALS = ["first", "second", "third", "fourth"];

type Part = { readonly grain: "quarter" | "half" | "month"; readonly number: number };
interface Unit {
  readonly at: number;
  readonly end: number;
  readonly part?: Part;
  year?: number;
  readonly day?: number;
  /** A stretch no rule can tell. */
  readonly unread?: boolean;
  /** A year that another unit took. */
  taken?: boolean;
}

export interface PeriodOptions {
  /** Which tokens mean nothing else. All, when absent. */
  readonly free?: (index: number) => boolean;
  /** ISO day that `last year` is told from; without it that is not read. */
  readonly today?: string | undefined;
}

/** Years, halves, quarters, months and days that a question names, alone, in lists and as ranges. */
export function readPeriods(
  question: string,
  tokens: readonly Token[],
  { free = () => true, today }: PeriodOptions = {},
): AskedPeriods {
  const units = unitsOf(tokens, free, today);
  shareYears(units, tokens);
  const used = new Set<number>();
  const recurring: Recurring[] = [];
  const unread: string[] = [];
  const dated: { unit: Unit; period: Period }[] = [];
  for (const unit of units) {
    for (let i = unit.at; i < unit.end; i++) used.add(i);
    if (unit.taken === true) continue;
    if (unit.unread === true) unread.push(question.slice(tokens[unit.at]?.start, tokens[unit.end - 1]?.end));
    else if (unit.year !== undefined) dated.push({ unit, period: toPeriod(unit, unit.year) });
    else if (unit.part?.grain === "quarter" || unit.part?.grain === "month")
      recurring.push({ part: unit.part.grain, number: unit.part.number, label: partLabel(unit.part) });
    else unread.push(question.slice(tokens[unit.at]?.start, tokens[unit.end - 1]?.end));
  }
  return { periods: unique(joinRanges(dated, tokens, question)), recurring: unique(recurring), unread, used };
}

const MAX_PERIODS = 12;

function unique<T extends { readonly label: string }>(list: readonly T[]): readonly T[] {
  return list
    .filter((one, i) => list.findIndex(({ label }) => label === one.label) === i)
    .slice(0, MAX_PERIODS);
}

function unitsOf(
  tokens: readonly Token[],
  free: (index: number) => boolean,
  today: string | undefined,
): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!free(at)) continue;
    const unit =
      isoUnit(tokens, at) ?? relativeUnit(tokens, at, today) ?? yearUnit(tokens, at) ?? partUnit(tokens, at);
    if (unit === undefined) continue;
    units.push(unit);
    at = unit.end - 1;
  }
  return units;
}

/** `2025-03`, `2025-03-15`: numbers right after one another. */
function isoUnit(tokens: readonly Token[], at: number): Unit | undefined {
  const [year, month, day] = tokens.slice(at, at + 3);
  if (year === undefined || month === undefined || !isYear(year)) return undefined;
  if (month.start !== year.end + 1 || !/^(0[1-9]|1[0-2])$/.test(month.fold)) return undefined;
  const part = { grain: "month", number: Number(month.fold) } as const;
  if (day !== undefined && day.start === month.end + 1 && /^(0[1-9]|[12]\d|3[01])$/.test(day.fold))
    return { at, end: at + 3, part, year: Number(year.fold), day: Number(day.fold) };
  return { at, end: at + 2, part, year: Number(year.fold) };
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ["last", -1],
  ["previous", -1],
  ["past", -1],
  ["this", 0],
  ["current", 0],
  ["next", 1],
]);

/** `last year`, `this quarter`, told from today; `past 3 months` and `ytd` are taken and not read. */
function relativeUnit(tokens: readonly Token[], at: number, today: string | undefined): Unit | undefined {
  const word = tokens[at]?.fold ?? "";
  if (["ytd", "yesterday"].includes(word)) return { at, end: at + 1, unread: true };
  const step = STEPS.get(word);
  const grains = ["year", "quarter", "month", "week", "day", "half"];
  const next = tokens[at + 1]?.word ?? "";
  const after = tokens[at + 2]?.word ?? "";
  if (step === undefined) return undefined;
  if (!grains.includes(next))
    return grains.includes(after) && (/^\d+$/.test(next) || COUNTS.has(next))
      ? { at, end: at + 3, unread: true }
      : undefined;
  const end = at + 2;
  const now = today === undefined ? undefined : /^(\d{4})-(\d{2})/.exec(today);
  if (now === undefined || now === null || !["year", "quarter", "month"].includes(next))
    return { at, end, unread: true };
  const months = next === "year" ? 12 : next === "quarter" ? 3 : 1;
  const index = Math.floor((Number(now[1]) * 12 + Number(now[2]) - 1) / months) + step;
  const perYear = 12 / months;
  const year = Math.floor(index / perYear);
  const number = (index % perYear) + 1;
  if (next === "year") return { at, end, year };
  return { at, end, year, part: { grain: next === "quarter" ? "quarter" : "month", number } };
}

const COUNTS = new Set("two three four five six seven eight nine ten twelve few".split(" "));

function yearUnit(tokens: readonly Token[], at: number): Unit | undefined {
  const token = tokens[at];
  return token !== undefined && isYear(token) ? { at, end: at + 1, year: Number(token.fold) } : undefined;
}

function partUnit(tokens: readonly Token[], at: number): Unit | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const short = /^([qh])([1-4])$/.exec(token.fold);
  if (short !== null) {
    const half = short[1] === "h";
    const number = Number(short[2]);
    if (half && number > 2) return undefined;
    return { at, end: at + 1, part: { grain: half ? "half" : "quarter", number } };
  }
  const next = tokens[at + 1]?.word;
  const ordinal = ORDINALS.indexOf(token.fold) + 1;
  if (ordinal > 0 && next === "quarter")
    return { at, end: at + 2, part: { grain: "quarter", number: ordinal } };
  if (ordinal > 0 && ordinal <= 2 && next === "half")
    return { at, end: at + 2, part: { grain: "half", number: ordinal } };
  if (token.fold === "quarter" && /^[1-4]$/.test(next ?? ""))
    return { at, end: at + 2, part: { grain: "quarter", number: Number(next) } };
  const month = monthOf(token, tokens[at - 1], tokens[at + 1]);
  return month === undefined ? undefined : { at, end: at + 1, part: { grain: "month", number: month } };
}

/** `may` and `march` are verbs too, `mar` and `dec` names: they need a capital, a preposition or a year. */
function monthOf(token: Token, before: Token | undefined, after: Token | undefined): number | undefined {
  const full = MONTHS.indexOf(token.fold) + 1;
  const short = /^[a-z]{3,4}$/.test(token.fold)
    ? MONTHS.findIndex(
        (month) => month.startsWith(token.fold.replace(/^sept$/, "sep")) && token.fold !== month,
      ) + 1
    : 0;
  const number = full || short;
  if (number === 0) return undefined;
  if (full > 0 && !["may", "march"].includes(token.fold)) return number;
  const dated = after !== undefined && isYear(after);
  const said =
    before !== undefined &&
    ["in", "of", "since", "until", "to", "and", "for", "between", "from"].includes(before.fold);
  return dated || (said && /^\p{Lu}/u.test(token.text)) ? number : undefined;
}

const isYear = (token: Token): boolean => /^(19|20)\d\d$/.test(token.fold);

/** `Q1 and Q2 2024`, `2025 Q3`, `in March ... in 2024`: a part without a year takes the one beside it. */
function shareYears(units: Unit[], tokens: readonly Token[]): void {
  const near = (a: Unit, b: Unit): boolean =>
    tokens
      .slice(a.end, b.at)
      .every((token) => ["of", "in", "the", "and", "to", "or", "vs", "versus", "with"].includes(token.fold));
  for (let i = units.length - 1; i >= 0; i--) {
    const unit = units[i];
    const next = units[i + 1];
    if (unit === undefined || next === undefined || unit.part === undefined || unit.year !== undefined)
      continue;
    if (next.year !== undefined && near(unit, next)) {
      unit.year = next.year;
      if (next.part === undefined) next.taken = true;
    }
  }
  for (let i = 1; i < units.length; i++) {
    const unit = units[i];
    const before = units[i - 1];
    if (unit === undefined || before === undefined || unit.part === undefined || unit.year !== undefined)
      continue;
    if (before.year !== undefined && near(before, unit)) {
      unit.year = before.year;
      if (before.part === undefined) before.taken = true;
    }
  }
  const plain = units.filter((unit) => unit.part === undefined && unit.taken !== true);
  const [only, other] = plain;
  if (only?.year === undefined || other !== undefined) return;
  for (const unit of units) {
    if (unit.part === undefined || unit.year !== undefined) continue;
    unit.year = only.year;
    only.taken = true;
  }
}

function toPeriod(unit: Unit, year: number): Period {
  const { part, day } = unit;
  if (part === undefined) return period(day1(year, 0), day1(year + 1, 0), String(year), "year");
  if (day !== undefined) {
    const from = iso(new Date(Date.UTC(year, part.number - 1, day)));
    return period(from, iso(new Date(Date.UTC(year, part.number - 1, day + 1))), from, "day");
  }
  const months = part.grain === "half" ? 6 : part.grain === "quarter" ? 3 : 1;
  const first = (part.number - 1) * months;
  return period(day1(year, first), day1(year, first + months), `${partLabel(part)} ${year}`, part.grain);
}

function partLabel(part: Part): string {
  if (part.grain === "month") {
    const name = MONTHS[part.number - 1] ?? "";
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  }
  return `${part.grain === "half" ? "H" : "Q"}${part.number}`;
}

/** `from A to B`, `since A`, `before A`: open and joined stretches; others stay as they are. */
function joinRanges(
  dated: readonly { readonly unit: Unit; readonly period: Period }[],
  tokens: readonly Token[],
  question: string,
): readonly Period[] {
  const periods: Period[] = [];
  for (let i = 0; i < dated.length; i++) {
    const here = dated[i];
    if (here === undefined) continue;
    const next = dated[i + 1];
    const before = tokens[here.unit.at - 1]?.fold ?? "";
    if (next !== undefined && isRange(here.unit, next.unit, before, tokens, question)) {
      const label = `${here.period.label} to ${next.period.label}`;
      // `from 2025 to 2023` means the same stretch.
      const [first, last] =
        (here.period.from ?? "") <= (next.period.from ?? "")
          ? [here.period, next.period]
          : [next.period, here.period];
      periods.push(period(first.from, last.until, label, "range"));
      i++;
      continue;
    }
    const { from, until, label } = here.period;
    if (before === "since" || (before === "from" && tokens[here.unit.end]?.fold === "on"))
      periods.push(period(from, undefined, `since ${label}`, "range"));
    else if (before === "after") periods.push(period(until, undefined, `after ${label}`, "range"));
    else if (before === "before") periods.push(period(undefined, from, `before ${label}`, "range"));
    else if (before === "until" || before === "till")
      periods.push(period(undefined, until, `until ${label}`, "range"));
    else periods.push(here.period);
  }
  return periods;
}

/** `2023 to 2025` is a stretch, except where the two are compared. */
function isRange(a: Unit, b: Unit, before: string, tokens: readonly Token[], question: string): boolean {
  const between = question.slice(tokens[a.end - 1]?.end ?? 0, tokens[b.at]?.start ?? 0).trim();
  if (/^[-–—]$/.test(between)) return true;
  if (/^(to|until|till|through)$/i.test(between))
    return before === "from" || !tokens.some(({ fold }) => COMPARE.has(fold));
  return before === "between" && between.toLowerCase() === "and";
}

function period(
  from: string | undefined,
  until: string | undefined,
  label: string,
  grain: Period["grain"],
): Period {
  return { from, until, label, grain };
}

const day1 = (year: number, month: number): string => iso(new Date(Date.UTC(year, month, 1)));
const iso = (date: Date): string => date.toISOString().slice(0, 10);
