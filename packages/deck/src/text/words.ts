import { textWidth } from "./measure.ts";

/** Words as a reader counts them: whitespace-separated tokens. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((token) => token !== "").length;
}

/** Twice what a word of English takes with the space after it, so that only text of few spaces goes by its width. */
const EM_A_WORD = 6;

/** Words by the room they take: a sentence without spaces, as of Japanese, or a very long word is not one. */
export function roomInWords(text: string): number {
  return Math.max(countWords(text), Math.ceil(textWidth(text, 1) / EM_A_WORD));
}

/** The text cut, with an ellipsis, where its width passes what `max` words may take. */
export function capWidth(text: string, max: number): string {
  const bound = max * EM_A_WORD;
  if (textWidth(text, 1) <= bound) return text;
  const free = bound - textWidth("…", 1);
  let width = 0;
  let end = 0;
  for (const char of text) {
    width += textWidth(char, 1);
    if (width > free) break;
    end += char.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
