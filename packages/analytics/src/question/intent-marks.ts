import {
  AGGREGATES,
  BOTTOM,
  BY,
  COMPARATIVE,
  GENERAL,
  GRAINS,
  GROWTH,
  MAX_TOP,
  NUMBERS,
  SHARE,
  TOP,
  TRADE,
  TREND,
} from "./intent-words.ts";
import { COMPARE } from "./periods/compare-words.ts";
import type { Grain } from "./time-grain.ts";

/** What the words of a question can ask for. */
export type IntentKind =
  | "by"
  | "rank"
  | "grain"
  | "growth"
  | "trend"
  | "share"
  | "compare"
  | "aggregate"
  | "count"
  | "general"
  | "trade"
  | "total";
export type IntentMarks = Readonly<Record<IntentKind, readonly number[]>>;

export const isOverTime = (words: readonly string[], at: number): boolean =>
  words[at] === "over" && words[at + 1] === "time";

/** `bigger than`, `which is bigger, A or B`: two are set side by side. */
export const isBeforeOther = (words: readonly string[], at: number): boolean =>
  words.slice(at + 1).some((word) => word === "than" || word === "or");

/** The tokens of each kind. `tokens` are the indexes of `words`. */
export function marksOf(
  words: readonly string[],
  grain: Grain | undefined,
  tokens: readonly number[],
): IntentMarks {
  const where = (fits: (word: string, at: number) => boolean): readonly number[] =>
    words.flatMap((word, at) => (fits(word, at) ? [tokens[at] ?? -1] : []));
  const before = (at: number): string => words[at - 1] ?? "";
  const after = (at: number): string => words[at + 1] ?? "";
  const ranks = (word: string): boolean => TOP.has(word) || BOTTOM.has(word);
  const counts = (word: string, next: string): boolean =>
    (word === "how" && next === "many") || (["number", "count"].includes(word) && next === "of");
  const [aggregate] = words.flatMap((word) => AGGREGATES.get(word) ?? []);
  return {
    by: where((word) => BY.has(word)),
    rank: where((word, at) => ranks(word) || ((ranks(before(at)) || ranks(after(at))) && isRankCount(word))),
    grain: where((word) => grain !== undefined && GRAINS.get(word) === grain),
    growth: where((word) => GROWTH.has(word)),
    trend: where((word, at) => TREND.has(word) || isOverTime(words, at) || isOverTime(words, at - 1)),
    share: where((word) => SHARE.has(word)),
    compare: where(
      (word, at) =>
        COMPARE.has(word) ||
        (COMPARATIVE.has(word) && isBeforeOther(words, at)) ||
        (word === "than" && words.slice(0, at).some((one) => COMPARATIVE.has(one))),
    ),
    aggregate: where((word) => aggregate !== undefined && AGGREGATES.get(word) === aggregate),
    count: where(
      (word, at) =>
        word === "count" ||
        counts(word, after(at)) ||
        counts(before(at), word) ||
        ["different", "distinct", "unique"].includes(word),
    ),
    general: where((word) => GENERAL.has(word) && word !== "total"),
    trade: where(
      (word, at) =>
        TRADE.has(word) ||
        (word === "how" && after(at) === "much") ||
        (word === "much" && before(at) === "how") ||
        (word === "most" && before(at) !== "at"),
    ),
    total: where((word) => word === "total"),
  };
}

/** A longer list than the most that is shown is not what was asked. */
export function isRankCount(word: string): boolean {
  const count = /^\d+$/.test(word) ? Number(word) : NUMBERS.get(word);
  return count !== undefined && count >= 1 && count <= MAX_TOP;
}
