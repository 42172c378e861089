import type { Grain } from "./time-grain.ts";
import { MONEY_WORDS, wordsOf } from "../names/words.ts";

/** What the words of a question ask for, by fixed rules. */
export interface Asked {
  readonly words: readonly string[];
  /** Words after `by`, `per`, `top` and the like, in order: what to group by. */
  readonly by: readonly string[];
  readonly grain: Grain | undefined;
  /** `by quarter and region`: both in one statement. */
  readonly together: boolean;
  /** How many, for `top 5`. */
  readonly top: number | undefined;
  readonly growth: boolean;
  readonly years: readonly [number, number] | undefined;
  /** Figures in general: sales, numbers, an overview. */
  readonly general: boolean;
}

const GRAINS: ReadonlyMap<string, Grain> = new Map(
  Object.entries({
    day: "day",
    daily: "day",
    week: "week",
    weekly: "week",
    month: "month",
    monthly: "month",
    quarter: "quarter",
    quarterly: "quarter",
    year: "year",
    yearly: "year",
    annual: "year",
    annually: "year",
  } as const),
);
const BY = new Set(["by", "per", "across", "each", "every", "which", "pro"]);
const TOP = new Set(["top", "best", "largest", "biggest", "highest", "leading"]);
const GROWTH = new Set(["growth", "grow", "grew", "growing", "trend", "development", "develop", "over"]);
const GENERAL = new Set([
  "figure",
  "number",
  "data",
  "overview",
  "performance",
  "result",
  "kpi",
  "metric",
  "statistic",
  "total",
]);
const SKIP = new Set([
  "and",
  "or",
  "the",
  "our",
  "its",
  "a",
  "an",
  "most",
  "selling",
  "single",
  "sold",
  "five",
  "ten",
  "of",
]);
const NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ three: 3, five: 5, ten: 10, twenty: 20 }),
);
const MAX_TOP = 50;

export function readQuestion(question: string): Asked {
  const words = wordsOf(question);
  const by: string[] = [];
  let top: number | undefined;
  words.forEach((word, i) => {
    if (TOP.has(word)) {
      const next = words[i + 1] ?? "";
      const count = /^\d+$/.test(next) ? Number(next) : NUMBERS.get(next);
      top = Math.min(MAX_TOP, Math.max(1, count ?? 10));
      by.push(...phrase(words, i + (count === undefined ? 1 : 2), 1));
    } else if (BY.has(word)) by.push(...phrase(words, i + 1, 4));
  });
  const grains = words.flatMap((word) => GRAINS.get(word) ?? []);
  const dimensions = [...new Set(by)].filter((word) => !GRAINS.has(word) && !/^\d+$/.test(word));
  const years = words.filter((word) => /^(19|20)\d\d$/.test(word)).map(Number);
  return {
    words,
    by: dimensions,
    grain: grains[0],
    together: grains.length > 0 && dimensions.length === 1 && /\b(and|und)\b/i.test(question),
    top,
    growth: words.some((word, i) => GROWTH.has(word) && (word !== "over" || words[i + 1] === "time")),
    years: years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)],
    general: words.some((word) => GENERAL.has(word) || MONEY_WORDS.includes(word)),
  };
}

/** Up to `count` words from here that can name something; the list ends at a word that starts a new clause. */
function phrase(words: readonly string[], start: number, count: number): readonly string[] {
  const found: string[] = [];
  for (const word of words.slice(start)) {
    if (found.length >= count || BY.has(word) || TOP.has(word)) break;
    if (["in", "for", "from", "with", "based", "to", "as", "on", "over", "since"].includes(word)) break;
    if (!SKIP.has(word)) found.push(word);
  }
  return found;
}
