import { splitSentences } from "@troupe/core/text";

import { countWords } from "./words.ts";

/**
 * Shortens a text to at most `max` words: at the end of a sentence where one fits, else at a clause,
 * else after a word with an ellipsis. The caller keeps the full text in the notes.
 */
export function tighten(text: string, max: number): string {
  if (countWords(text) <= max) return text;
  // Single spaces: to look for what follows a run of them from each of its places takes quadratic time.
  const line = text.replace(/\s+/g, " ");
  const sentence = sentencesWithin(line.trim(), max);
  if (sentence && countWords(sentence) >= Math.min(4, max)) return sentence;
  const clause = lastFit(line, max, /[,;:)]?(?= [–—-] )|[,;](?= )/g);
  if (clause && countWords(clause) >= Math.max(4, max / 2)) return clause.replace(/[,;:]$/, "");
  return `${withoutTail(line.trim().split(" ", max).join(" "))}…`;
}

/** With the word behind, which tells whether a full stop before it ends a sentence. */
function sentencesWithin(line: string, max: number): string | undefined {
  const head = line.split(" ", max + 1).join(" ");
  const last = splitSentences(head).at(-2);
  return last === undefined ? undefined : head.slice(0, last.end);
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

/** Without the stops and dashes at its end. */
function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0 && " ,;:.–—-".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
