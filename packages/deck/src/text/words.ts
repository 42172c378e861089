/** Words as a reader counts them: whitespace-separated tokens. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((token) => token !== "").length;
}
