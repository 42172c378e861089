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
