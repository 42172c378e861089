import { STOP_WORDS } from "./stop-words.ts";

/** Written without spaces: overlapping pairs of characters are their words, which needs no dictionary. */
const PAIRED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]/u;
const RUNS =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]+)|([\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Beyond Latin letters and common punctuation and symbols. */
const NOT_LATIN = /[\u0300-\u1DFF\u2C00-\uFFFF]/;
/** Splits Thai, Lao, Khmer and Burmese by the dictionaries of ICU, whatever the locale. */
const segmenter = new Intl.Segmenter("th", { granularity: "word" });

/**
 * Lower-case words without diacritics, cut where FTS5's unicode61 cuts; pairs of characters in Chinese,
 * Japanese and Korean ("東京都" is "東京" and "京都"). Repeats are kept.
 */
export function words(text: string): readonly string[] {
  return NOT_LATIN.test(text) ? wordsOfAnyScript(text, { characters: false }) : folded(text);
}

/**
 * A text as FTS5 takes it in: of scripts that its tokenizer cannot split, words with spaces between them.
 * Chinese, Japanese and Korean have single characters beside the pairs, so that either can be searched.
 */
export function indexText(text: string): string {
  return NOT_LATIN.test(text) ? wordsOfAnyScript(text, { characters: true }).join(" ") : text;
}

function wordsOfAnyScript(text: string, options: { readonly characters: boolean }): readonly string[] {
  const runs = text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return runs.flatMap((run) =>
    [...run.matchAll(RUNS)].flatMap(([part, paired, segmented]) => {
      if (paired !== undefined) return pairs(paired, options);
      if (segmented === undefined) return folded(part);
      return [...segmenter.segment(part)].flatMap(({ segment }) => folded(segment));
    }),
  );
}

function pairs(run: string, { characters }: { readonly characters: boolean }): readonly string[] {
  const all = Array.from(run);
  if (all.length === 1) return all;
  const twos = all.slice(1).map((char, at) => `${all[at]}${char}`);
  return characters ? [...twos, ...all] : twos;
}

function folded(text: string): readonly string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words that carry a subject; all words when nothing else is there ("who are you"). */
export function contentWords(text: string): readonly string[] {
  const all = words(text);
  const kept = all.filter((word, at) => isContent(word, all[at - 1]));
  return kept.length > 0 ? kept : all;
}

const HIRAGANA = /\p{Script=Hiragana}/u;

/**
 * Hiragana are the endings and particles of Japanese. A pair that ends in one stays for a word of one other
 * character ("食べ"), and goes where the pair before has that character ("京の" behind "東京").
 */
function isContent(word: string, before: string | undefined): boolean {
  if (STOP_WORDS.has(word)) return false;
  if (!PAIRED.test(word)) return word.length > 1 || /\p{N}/u.test(word);
  if (!HIRAGANA.test(word)) return true;
  const [first = ""] = word;
  if (HIRAGANA.test(first)) return false;
  return before === undefined || !before.endsWith(first) || HIRAGANA.test(before);
}

/**
 * A key under which forms of one English word meet (policy, policies; measure, measured, measuring).
 * Lighter than FTS5's Porter stemmer: it compares words outside the index, where a wrong match only
 * moves a sentence.
 */
export function wordKey(word: string): string {
  if (word.length < 4 || /\p{N}/u.test(word)) return word;
  let key = word;
  if (key.endsWith("ies")) key = `${key.slice(0, -3)}y`;
  else if (/(?:s|x|z|ch|sh)es$/.test(key)) key = key.slice(0, -2);
  else if (key.endsWith("s") && !/(?:ss|us|is)$/.test(key)) key = key.slice(0, -1);
  const verb = /^(.{3,})(?:ing|ed)$/.exec(key)?.[1];
  if (verb !== undefined && /[aeiouy]/.test(verb)) key = verb.replace(/([^aeiouls])\1$/, "$1");
  return key.length > 3 && key.endsWith("e") ? key.slice(0, -1) : key;
}

/** Distinct keys of the content words of a text, and of its Chinese, Japanese and Korean characters. */
export function contentKeys(text: string): ReadonlySet<string> {
  const characters = PAIRED.test(text) ? (text.normalize("NFKC").match(/\p{L}/gu) ?? []) : [];
  return new Set([...contentWords(text).map(wordKey), ...characters.filter((char) => PAIRED.test(char))]);
}
