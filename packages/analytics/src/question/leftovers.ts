import type { Token } from "./tokens.ts";
import { isPlainWord } from "./vocabulary.ts";

const BEFORE_NAME = new Set([
  "in",
  "of",
  "for",
  "from",
  "at",
  "near",
  "excluding",
  "without",
  "except",
  "outside",
]);
const BETWEEN = new Set(["the", "our", "all", "my", "customer", "product", "region", "country"]);
/** They order rows by something no rule knows. */
const SUPERLATIVES = new Set(
  "longest shortest oldest newest earliest youngest heaviest fastest slowest".split(" "),
);
const MAX_LISTED = 5;

/**
 * Words that look like a name, a number or a filter and that nothing read: written with a capital, in
 * quotes, with a digit, or after `in`, `of`, `for`. `used` and `known` say what was read.
 */
export function leftovers(
  tokens: readonly Token[],
  used: ReadonlySet<number>,
  known: (token: Token) => boolean,
): readonly string[] {
  const found: string[] = [];
  const open = (i: number): boolean => {
    const token = tokens[i];
    return token !== undefined && !used.has(i) && !known(token);
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || used.has(i)) continue;
    const quote = token.quote;
    if (quote !== undefined) {
      let end = i + 1;
      while (tokens[end]?.quote === quote) end++;
      const inside = tokens.slice(i, end);
      if (inside.every((_, n) => !used.has(i + n))) found.push(textOf(inside));
      i = end - 1;
      continue;
    }
    if (
      !open(i) ||
      !(isWrittenAsName(token) || SUPERLATIVES.has(token.fold) || followsPreposition(tokens, i))
    )
      continue;
    let end = i + 1;
    while (open(end) && isWrittenAsName(tokens[end]) && tokens[end]?.first === false) end++;
    found.push(textOf(tokens.slice(i, end)));
    i = end - 1;
  }
  return [...new Set(found)].slice(0, MAX_LISTED);
}

/** Whether a word is part of how people ask, or names a part of the data. */
export function knownWords(schema: ReadonlySet<string>): (token: Token) => boolean {
  return ({ fold, word }) => {
    if (/^\d/.test(fold)) return false;
    return isPlainWord(fold, word) || schema.has(word) || fold.length < 2;
  };
}

function isWrittenAsName(token: Token | undefined): boolean {
  return token !== undefined && (/^\p{Lu}/u.test(token.text) || /\p{N}/u.test(token.text));
}

function followsPreposition(tokens: readonly Token[], at: number): boolean {
  let i = at - 1;
  while (i >= 0 && BETWEEN.has(tokens[i]?.word ?? "")) i--;
  return BEFORE_NAME.has(tokens[i]?.fold ?? "");
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => token.text)
    .join(" ")
    .slice(0, 60);
}
