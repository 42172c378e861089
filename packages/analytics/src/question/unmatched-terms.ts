import type { Token } from "./tokens.ts";

const BEFORE_NAME = new Set(["in", "of", "for", "from", "at", "near"]);
const BETWEEN = new Set(["the", "our", "all", "my", "customer", "product", "region", "country"]);
const MAX_LISTED = 5;
const MAX_TERM = 60;

/** Words of a question that no rule read. */
export interface UnmatchedTerms {
  /** Written like a name or a number: what rows may have been meant to be filtered by. */
  readonly names: readonly string[];
  /** Other words, such as `not` and `only`. */
  readonly words: readonly string[];
}

/** Every token that was not consumed, as it stands in the question. */
export function unmatchedTerms(
  question: string,
  tokens: readonly Token[],
  consumed: (index: number) => boolean,
): UnmatchedTerms {
  const names: string[] = [];
  const words: string[] = [];
  const isOpen = (i: number): boolean => i < tokens.length && !consumed(i);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || !isOpen(i)) continue;
    const isName = token.quote !== undefined || isWrittenAsName(token) || followsPreposition(tokens, i);
    let end = i + 1;
    while (isOpen(end) && continues(tokens[end], token, isName, question)) end++;
    const text = question.slice(token.start, tokens[end - 1]?.end).slice(0, MAX_TERM);
    (isName ? names : words).push(text);
    i = end - 1;
  }
  return { names: listed(names), words: listed(words) };
}

/** Names go on over several words; other words do not, except over an apostrophe. */
function continues(next: Token | undefined, first: Token, isName: boolean, question: string): boolean {
  if (next === undefined || next.quote !== first.quote) return false;
  if (first.quote !== undefined) return true;
  if (isName) return isWrittenAsName(next) && !next.first;
  return /^['’]$/.test(question.slice(first.end, next.start));
}

const listed = (terms: readonly string[]): readonly string[] => {
  const all = [...new Set(terms)];
  return all.length <= MAX_LISTED
    ? all
    : [...all.slice(0, MAX_LISTED), `and ${all.length - MAX_LISTED} more`];
};

function isWrittenAsName(token: Token): boolean {
  return (/^\p{Lu}/u.test(token.text) && !token.first) || /\p{N}/u.test(token.text);
}

function followsPreposition(tokens: readonly Token[], at: number): boolean {
  let i = at - 1;
  while (i >= 0 && BETWEEN.has(tokens[i]?.word ?? "")) i--;
  return BEFORE_NAME.has(tokens[i]?.fold ?? "");
}
