import { singular } from "../names/words.ts";

/** A word or number of a question, with how it was written. */
export interface Token {
  readonly text: string;
  /** Lower case, without accents. */
  readonly fold: string;
  /** The singular of `fold`. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** The first word of a sentence: its capital letter says nothing. */
  readonly first: boolean;
  /** Number of the quoted passage it stands in. */
  readonly quote: number | undefined;
}

/** Characters of a question that are read; a question that is longer is a text. */
const MAX_READ = 2_000;
const WORD = /\p{Nd}{1,3}(?:,\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+\.\p{Nd}+|[\p{L}\p{N}\p{M}]+/gu;
const QUOTED =
  /"([^"\n]{1,100})"|“([^”\n]{1,100})”|«([^»\n]{1,100})»|(?<![\p{L}\p{N}])'([^'\n]{1,100})'(?![\p{L}\p{N}])/gu;

export function tokensOf(question: string): readonly Token[] {
  const text = question.slice(0, MAX_READ);
  const quotes = [...text.matchAll(QUOTED)].map((match) => ({
    from: match.index,
    until: match.index + match[0].length,
  }));
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    // The s of a genitive.
    if (/^s$/i.test(match[0]) && /['’]/.test(text[start - 1] ?? "")) continue;
    const fold = foldText(match[0]);
    const quote = quotes.findIndex((one) => start >= one.from && start < one.until);
    tokens.push({
      text: match[0],
      fold,
      word: singular(fold),
      start,
      end: start + match[0].length,
      first: /(^|[.?!:\n])[\s"“«'(]*$/.test(text.slice(Math.max(0, start - 8), start)),
      quote: quote < 0 ? undefined : quote,
    });
  }
  return tokens;
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ø", "o"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ł", "l"],
  ["đ", "d"],
]);

/** Lower case without accents: what two spellings of a name have in common. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßøæœłđ]/g, (letter) => LETTERS.get(letter) ?? letter);
}
