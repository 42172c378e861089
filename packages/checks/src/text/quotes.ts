/** Quoted words, with the span of the quote in the text. */
export interface Quote {
  readonly words: string;
  readonly start: number;
  readonly end: number;
}

/** Characters of a quote; bounded, so that quotes that never close cost linear time. */
const SPAN = "{2,4000}";
/** An apostrophe is between letters, a closing quote is not. */
const SINGLE =
  "(?<![\\p{L}\\p{N}])'(?![\\s'])((?:[^'\\n]|(?<=\\p{L})'(?=\\p{L})){2,4000})(?<!\\s)'(?![\\p{L}\\p{N}])";

const QUOTE = new RegExp(
  [
    `“([^“”]${SPAN})”`,
    `„([^“”„]${SPAN})[“”]`,
    `«\\s?([^«»]${SPAN})\\s?»`,
    `»([^«»]${SPAN})«`,
    `(?<=^|[\\s(])”([^“”]${SPAN})”`,
    `‘((?:[^‘’]|’(?=\\p{L}))${SPAN})’`,
    `‚([^‚‘’]${SPAN})[‘’]`,
    `‹\\s?([^‹›]${SPAN})\\s?›`,
    `›([^‹›]${SPAN})‹`,
    `「([^「」]${SPAN})」`,
    `『([^『』]${SPAN})』`,
    `&quot;((?:(?!&quot;)[^])${SPAN}?)&quot;`,
    `(?<![\\p{L}\\p{N}])"([^"]${SPAN})"`,
    SINGLE,
  ].join("|"),
  "gu",
);

/** Fewer words between straight single quotes may be no quote. */
const MIN_SINGLE_WORDS = 3;

export function quotesOf(text: string): Quote[] {
  return [...text.matchAll(QUOTE)].flatMap((match) => {
    const words = (match.slice(1).find(Boolean) ?? "").trim();
    if (match[0].startsWith("'") && countWords(words) < MIN_SINGLE_WORDS) return [];
    return [{ words, start: match.index, end: match.index + match[0].length }];
  });
}

export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const CJK_LETTERS = new RegExp(CJK, "gu");

/** Two characters of Chinese or Japanese count as a word. */
export function countWords(text: string): number {
  const letters = text.match(CJK_LETTERS)?.length ?? 0;
  return text.split(/\s+/).length + Math.floor(letters / 2);
}
