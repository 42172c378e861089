import { countWords } from "./words.ts";

/**
 * Shortens a text to at most `max` words: at the end of a sentence where one fits, else at a clause,
 * else after a word with an ellipsis. The caller keeps the full text in the notes.
 */
export function tighten(text: string, max: number): string {
  if (countWords(text) <= max) return text;
  const sentence = lastFit(text, max, /[.!?](?=\s)/g);
  if (sentence && countWords(sentence) >= Math.min(4, max)) return sentence;
  const clause = lastFit(text, max, /[,;:)]?(?=\s+(?:–|—|-)\s)|[,;](?=\s)/g);
  if (clause && countWords(clause) >= Math.max(4, max / 2)) return clause.replace(/[,;:]$/, "");
  return `${firstWords(text, max).replace(/[\s,;:.–—-]+$/, "")}…`;
}

function lastFit(text: string, max: number, boundary: RegExp): string | undefined {
  let best: string | undefined;
  for (const match of text.matchAll(boundary)) {
    const head = text.slice(0, match.index + match[0].length).trim();
    if (countWords(head) > max) break;
    best = head;
  }
  return best;
}

function firstWords(text: string, max: number): string {
  return text.split(/\s+/).slice(0, max).join(" ");
}
