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
  type Aggregate,
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
  | "most"
  | "total";
export type IntentMarks = Readonly<Record<IntentKind, readonly number[]>>;

const isOverTime = (words: readonly string[], at: number): boolean =>
  words[at] === "over" && words[at + 1] === "time";

/** The two words of `how many`, `number of` and `count of`. */
export const asksCount = (word: string, next: string): boolean =>
  (word === "how" && next === "many") || (["number", "count"].includes(word) && next === "of");

export const isSuperlative = (word: string): boolean => TOP.has(word) || BOTTOM.has(word);

/** `bigger than`, `which is bigger, A or B`: two are set side by side. */
const isBeforeOther = (words: readonly string[], at: number): boolean =>
  words.slice(at + 1).some((word) => word === "than" || word === "or");

/**
 * The tokens of each kind: what a question asks for is told from them alone. `tokens` are the indexes of
 * `words`; of several grains or aggregates one is meant.
 */
export function marksOf(
  words: readonly string[],
  tokens: readonly number[],
  { grain, aggregate }: { readonly grain: Grain | undefined; readonly aggregate: Aggregate | undefined },
): IntentMarks {
  const where = (fits: (word: string, at: number) => boolean): readonly number[] =>
    words.flatMap((word, at) => (fits(word, at) ? [tokens[at] ?? -1] : []));
  const before = (at: number): string => words[at - 1] ?? "";
  const after = (at: number): string => words[at + 1] ?? "";
  return {
    by: where((word) => BY.has(word)),
    rank: where(
      (word, at) =>
        isSuperlative(word) || ((isSuperlative(before(at)) || isSuperlative(after(at))) && isRankCount(word)),
    ),
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
        asksCount(word, after(at)) ||
        asksCount(before(at), word) ||
        ["different", "distinct", "unique"].includes(word),
    ),
    general: where((word, at) => GENERAL.has(word) && word !== "total" && !asksCount(word, after(at))),
    trade: where(
      (word, at) =>
        TRADE.has(word) ||
        (word === "how" && after(at) === "much") ||
        (word === "much" && before(at) === "how"),
    ),
    most: where((word, at) => word === "most" && before(at) !== "at"),
    total: where((word) => word === "total"),
  };
}

/** A longer list than the most that is shown is not what was asked. */
export function isRankCount(word: string): boolean {
  const count = /^\d+$/.test(word) ? Number(word) : NUMBERS.get(word);
  return count !== undefined && count >= 1 && count <= MAX_TOP;
}
