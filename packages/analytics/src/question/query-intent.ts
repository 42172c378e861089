import { COUNT_WORDS, MONEY_WORDS } from "../names/words.ts";
import { isFunctionWord } from "./function-words.ts";
import {
  asksCount,
  isRankCount,
  isSuperlative,
  marksOf,
  type IntentKind,
  type IntentMarks,
} from "./intent-marks.ts";
import {
  AGGREGATES,
  BOTTOM,
  BY,
  END,
  GRAINS,
  GROWTH,
  MAX_TOP,
  NUMBERS,
  PACE,
  PRICED,
  SKIP,
  type Aggregate,
} from "./intent-words.ts";
import type { Grain } from "./time-grain.ts";
import type { Token } from "./tokens.ts";

/** What the words of a question ask for, by fixed rules. */
export interface QueryIntent {
  /** In lower case and singular, without those that are values or periods. */
  readonly words: readonly string[];
  /** Words after `by`, `per`, `top` and the like, in order: what to group by. */
  readonly by: readonly string[];
  readonly grain: Grain | undefined;
  /** `by quarter and region`: both in one statement. */
  readonly together: boolean;
  /** `revenue by quarter and revenue by region`: a statement for each. */
  readonly apart: boolean;
  /** How many, for `top 5`. */
  readonly top: number | undefined;
  /** `which month`, `top 3 months`: what is ranked is time. */
  readonly rankedGrain: boolean;
  /** What follows a superlative, such as `order` of `the most orders`. */
  readonly most: readonly string[];
  /** `what was`, `how much`: one figure is the answer. */
  readonly direct: boolean;
  /** `lowest`, `fewest`: the small ones first. */
  readonly ascending: boolean;
  readonly growth: boolean;
  readonly share: boolean;
  readonly compare: boolean;
  readonly aggregate: Aggregate | undefined;
  /** Words after `how many` and `number of`: one of them says what to count. */
  readonly count: readonly string[];
  /** Words before the first `by` or preposition. */
  readonly subject: readonly string[];
  /** Figures in general: sales, numbers, an overview. */
  readonly general: boolean;
  /** Something was bought or sold, or money is asked for. */
  readonly trade: boolean;
  /** One figure is wanted: a total, how much. */
  readonly total: boolean;
  /** How figures moved, without two periods set side by side: a trend, over time. */
  readonly trend: boolean;
  /** The tokens each rule took, by index. Whether a statement does what they ask is not known here. */
  readonly marks: IntentMarks;
}

/** `taken` says which tokens are values or periods: they ask for nothing themselves. */
export function readIntent(
  tokens: readonly Token[],
  taken: (index: number) => boolean = () => false,
): QueryIntent {
  const open = tokens.flatMap((token, i) => (taken(i) ? [] : [{ word: token.word, i }]));
  const growing = open.some(({ word }) => GROWTH.has(word));
  const asksWhen = open.some(
    ({ word }, i) => GRAINS.has(word) && ["which", "what"].includes(open[i - 1]?.word ?? ""),
  );
  const said = open.map(({ word }, i) =>
    asksWhen && word === "most"
      ? "highest"
      : inOtherWords(word, open[i - 1]?.word ?? "", open[i + 1]?.word ?? "", growing),
  );
  const words = said.some((word) => PRICED.has(word)) ? [...said, "price"] : said;
  const by: string[] = [];
  const most: string[] = [];
  let top: number | undefined;
  words.forEach((word, i) => {
    if (isSuperlative(word)) {
      const after = countOf(words[i + 1]);
      const count = after ?? countOf(words[i - 1]);
      top = Math.min(MAX_TOP, Math.max(1, count ?? 10));
      by.push(...ownerBefore(words, i));
      const named = phrase(words, i + (after === undefined ? 1 : 2), 1);
      most.push(...named);
      by.push(...named);
    } else if (BY.has(word)) by.push(...phrase(words, i + 1, 4));
  });
  const grains = words.flatMap((word) => GRAINS.get(word) ?? []);
  const dimensions = [...new Set(by)].filter((word) => !GRAINS.has(word) && !/^\d+$/.test(word));
  const count = countedWords(words);
  // `how many Foresight`: pieces of what was named.
  const pieces = tokens.some(
    (token, i) =>
      token.fold === "many" && tokens[i - 1]?.fold === "how" && i + 1 < tokens.length && taken(i + 1),
  );
  const apart = [...MONEY_WORDS, ...COUNT_WORDS].some(
    (word) => said.indexOf(word) !== said.lastIndexOf(word),
  );
  const much = words.some((word, i) => word === "much" && words[i - 1] === "how");
  const aggregate = words.flatMap((word) => AGGREGATES.get(word) ?? [])[0];
  const marks = marksOf(
    said,
    open.map(({ i }) => i),
    { grain: grains[0], aggregate },
  );
  const asks = (kind: IntentKind): boolean => marks[kind].length > 0;
  return {
    words: pieces ? [...words, "quantity"] : words,
    by: dimensions,
    grain: grains[0],
    apart,
    together: grains.length > 0 && dimensions.length === 1 && !apart && top === undefined,
    top,
    rankedGrain: top !== undefined && words.some((word, i) => GRAINS.has(word) && isRanked(words, i)),
    most,
    direct: isDirect(words),
    ascending: words.some((word) => BOTTOM.has(word)),
    growth: asks("growth"),
    trend: asks("trend"),
    share: asks("share"),
    compare: asks("compare"),
    aggregate,
    count,
    subject: subjectOf(words),
    general:
      asks("general") || asks("trade") || asks("total") || words.some((word) => MONEY_WORDS.includes(word)),
    trade: asks("trade"),
    total: much || asks("total"),
    marks,
  };
}

function countOf(word = ""): number | undefined {
  return /^\d+$/.test(word) ? Number(word) : NUMBERS.get(word);
}

/** `percentage change` is growth, `year over year` yearly, and growth that is fastest is highest. */
function inOtherWords(word: string, before: string, after: string, growing: boolean): string {
  const percent = (one: string): boolean => one === "percentage" || one === "percent";
  const change = (one: string): boolean => one === "change" || one === "increase";
  if ((percent(word) && change(after)) || (percent(before) && change(word))) return "growth";
  if (word === "over" && before === after && GRAINS.has(before)) return before;
  return (growing ? PACE.get(word) : undefined) ?? word;
}

/** `customers` of `customers with the highest revenue`. */
function ownerBefore(words: readonly string[], at: number): readonly string[] {
  const last = words[at - 1] === "the" ? at - 2 : at - 1;
  const owner = words[last - 1];
  return words[last] === "with" && owner !== undefined ? [owner] : [];
}

/** A grain after `which` or `top 3`. */
function isRanked(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? "";
  const next = words[at + 2] === "the" ? words[at + 3] : words[at + 2];
  if (words[at + 1] === "with" && isSuperlative(next ?? "")) return true;
  return (
    before === "which" ||
    before === "what" ||
    isSuperlative(before) ||
    (isRankCount(before) && isSuperlative(words[at - 2] ?? ""))
  );
}

function isDirect([first = "", second = ""]: readonly string[]): boolean {
  return (
    (first === "what" && ["is", "was", "were", "are"].includes(second)) ||
    (first === "how" && second === "much")
  );
}

/** Up to `count` words from here that can name something; the list ends at a word that starts a new clause. */
function phrase(words: readonly string[], start: number, count: number): readonly string[] {
  const found: string[] = [];
  for (const word of words.slice(start)) {
    if (found.length >= count || BY.has(word) || isSuperlative(word)) break;
    if (END.has(word) && word !== "of") break;
    if (SKIP.has(word)) continue;
    if (isFunctionWord(word, word)) break;
    found.push(word);
  }
  return found;
}

function countedWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, i) => asksCount(words[i - 1] ?? "", word));
  if (at >= 0) {
    const after = words.slice(at + 1, at + 4);
    const end = after.findIndex((word) => BY.has(word));
    return end < 0 ? after : after.slice(0, end);
  }
  const count = words.indexOf("count");
  return count < 0 ? [] : words.slice(Math.max(0, count - 1), count + 3).filter((word) => word !== "count");
}

function subjectOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => BY.has(word) || END.has(word));
  return end < 0 ? words : words.slice(0, end);
}
