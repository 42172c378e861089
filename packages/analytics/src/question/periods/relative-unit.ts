import type { Token } from "../tokens.ts";
import type { PeriodUnit } from "./period-unit.ts";

const STEPS: ReadonlyMap<string, number> = new Map([
  ["last", -1],
  ["previous", -1],
  ["this", 0],
  ["current", 0],
  ["next", 1],
]);
const GRAINS = ["year", "quarter", "month", "week", "day", "half"];
const YEAR = /^(19|20)\d\d$/;
const COUNTS = new Set("two three four five six seven eight nine ten twelve few".split(" "));

/**
 * `last year`, `this quarter`: the calendar's, told from today. `past year` is a rolling stretch; it,
 * `past 3 months` and `ytd` are taken and not read.
 */
export function relativeUnit(
  tokens: readonly Token[],
  at: number,
  today: string | undefined,
): PeriodUnit | undefined {
  const word = tokens[at]?.fold ?? "";
  if (["ytd", "yesterday"].includes(word)) return { at, end: at + 1, unread: true };
  const next = tokens[at + 1]?.word ?? "";
  const step = STEPS.get(word);
  if (step === undefined && word !== "past") return undefined;
  if (!GRAINS.includes(next)) {
    const counted = GRAINS.includes(tokens[at + 2]?.word ?? "") && (/^\d+$/.test(next) || COUNTS.has(next));
    return counted ? { at, end: at + 3, unread: true } : undefined;
  }
  const end = at + 2;
  const ended = word === "last" ? lastOfYear(tokens, at, next) : undefined;
  if (ended !== undefined) return ended;
  // Of a year that is named later, and not of today's.
  if (word === "previous" && tokens.slice(end).some(({ fold }) => YEAR.test(fold)))
    return { at, end, unread: true };
  const now = today === undefined ? undefined : /^(\d{4})-(\d{2})/.exec(today);
  const known = ["year", "quarter", "month"].includes(next);
  if (step === undefined || now === undefined || now === null || !known) return { at, end, unread: true };
  const months = next === "year" ? 12 : next === "quarter" ? 3 : 1;
  const index = Math.floor((Number(now[1]) * 12 + Number(now[2]) - 1) / months) + step;
  const perYear = 12 / months;
  const year = Math.floor(index / perYear);
  if (next === "year") return { at, end, year };
  return {
    at,
    end,
    year,
    part: { grain: next === "quarter" ? "quarter" : "month", number: (index % perYear) + 1 },
  };
}

/** `last quarter of 2024` is its fourth, whatever day it is; `last week of 2024` is taken and not read. */
function lastOfYear(tokens: readonly Token[], at: number, grain: string): PeriodUnit | undefined {
  const year = tokens[at + 3]?.fold ?? "";
  if (!["of", "in"].includes(tokens[at + 2]?.fold ?? "") || !YEAR.test(year)) return undefined;
  const end = at + 4;
  if (grain === "quarter") return { at, end, year: Number(year), part: { grain, number: 4 } };
  if (grain === "half") return { at, end, year: Number(year), part: { grain, number: 2 } };
  if (grain === "month") return { at, end, year: Number(year), part: { grain, number: 12 } };
  return { at, end, unread: true };
}

const PRECEDING = new Set(["previous", "prior", "preceding"]);

/**
 * `the previous year` after a period that is named is the one before that, not before today: of a part
 * of a year the same part of the year before.
 */
export function precedingUnit(
  tokens: readonly Token[],
  at: number,
  named: PeriodUnit | undefined,
): PeriodUnit | undefined {
  const next = tokens[at + 1]?.fold ?? "";
  const after = tokens[at + 2]?.fold ?? "";
  if (tokens[at]?.fold === "year" && next === "before" && YEAR.test(after))
    return { at, end: at + 3, year: Number(after) - 1 };
  const before = tokens[at]?.fold === "year" && next === "before" && !/^\d/.test(after);
  if (named === undefined || !(before || (PRECEDING.has(tokens[at]?.fold ?? "") && GRAINS.includes(next))))
    return undefined;
  const end = at + 2;
  const { year, part, day } = named;
  if (year === undefined || day !== undefined) return { at, end, unread: true };
  if (before || next === "year") return { at, end, year: year - 1, ...(part === undefined ? {} : { part }) };
  if (part?.grain !== next) return { at, end, unread: true };
  if (part.number > 1) return { at, end, year, part: { grain: part.grain, number: part.number - 1 } };
  const number = { month: 12, quarter: 4, half: 2 }[part.grain];
  return { at, end, year: year - 1, part: { grain: part.grain, number } };
}
