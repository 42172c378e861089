import { isCurrencyWord } from "../names/currencies.ts";
import type { Token } from "./tokens.ts";

/** Numbers that rows would have to reach or stay under. */
export interface Thresholds {
  /** As they stand in the question, such as `more than 2000 units`. */
  readonly unread: readonly string[];
  /** Their tokens, by index. */
  readonly used: ReadonlySet<number>;
}

const NUMBER_WORDS = "two three four five six seven eight nine ten twelve twenty hundred thousand million";
const NUMBERS = new Set(NUMBER_WORDS.split(" "));
const SIGNS = new Set("than over above under below exceeding least around about exactly".split(" "));
/** Words that go before a sign: `more than`, `at least`. */
const LEAD = new Set("more less fewer greater larger bigger higher lower at".split(" "));
const UNITS = new Set("unit piece percent dollar pound thousand million billion".split(" "));
const isUnit = (word: string): boolean => UNITS.has(word) || isCurrencyWord(word);
const CURRENCY = /[€$£]\s*$/;

/**
 * `over 500`, `at least 2000 EUR`, `€2000`, `2000 units`: a number after a comparing word or beside a
 * unit is no year. No rule filters by one, so each is said.
 */
export function readThresholds(
  question: string,
  tokens: readonly Token[],
  free: (index: number) => boolean = () => true,
): Thresholds {
  const unread: string[] = [];
  const used = new Set<number>();
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined || !free(at) || !(/^\d/.test(token.fold) || NUMBERS.has(token.fold))) continue;
    // `over EUR 2000`.
    const first = isUnit(tokens[at - 1]?.word ?? "") ? at - 1 : at;
    const before = tokens[first - 1]?.fold ?? "";
    const sign = SIGNS.has(before) || (before === "most" && tokens[first - 2]?.fold === "at");
    const unit = isUnit(tokens[at + 1]?.word ?? "") || /^\s*[€$£%]/.test(question.slice(token.end));
    if (!(sign || unit || first < at || CURRENCY.test(question.slice(0, token.start)))) continue;
    const lead = sign && LEAD.has(tokens[first - 2]?.fold ?? "") ? 2 : sign ? 1 : 0;
    const from = Math.max(0, first - lead);
    let end = at + 1;
    while (isUnit(tokens[end]?.word ?? "")) end++;
    for (let i = from; i < end; i++) used.add(i);
    unread.push(question.slice(tokens[from]?.start, tokens[end - 1]?.end));
    at = end - 1;
  }
  return { unread, used };
}
