import { STOP_WORDS } from "./stop-words.ts";

/** Lower-case words without diacritics, cut where FTS5's unicode61 cuts. Repeats are kept. */
export function words(text: string): readonly string[] {
  const folded = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words that carry a subject; all words when nothing else is there ("who are you"). */
export function contentWords(text: string): readonly string[] {
  const all = words(text);
  const kept = all.filter((word) => !STOP_WORDS.has(word) && (word.length > 1 || /\p{N}/u.test(word)));
  return kept.length > 0 ? kept : all;
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

/** Distinct keys of the content words of a text. */
export function contentKeys(text: string): ReadonlySet<string> {
  return new Set(contentWords(text).map(wordKey));
}
