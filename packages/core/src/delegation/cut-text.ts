/** A sentence that ends in the last part of what may stay is a good end. */
const LAST_PART = 0.8;

/**
 * The beginning of a text, at most `max` UTF-16 units: up to the last paragraph, line or sentence that ends in
 * the last fifth of it, else up to a word, else as it comes. Never half a character.
 */
export function beginningOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const from = Math.floor(max * LAST_PART);
  const ends = [
    head.lastIndexOf("\n\n"),
    head.lastIndexOf("\n"),
    Math.max(...[". ", "! ", "? ", ".\n"].map((mark) => after(head, mark))),
    head.lastIndexOf(" "),
  ];
  const end = ends.find((at) => at >= from && at > 0);
  return head.slice(0, end ?? wholeUnits(head)).trimEnd();
}

/** Behind the first character of the mark. */
function after(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at === -1 ? -1 : at + 1;
}

/** Without a first half of a character that the cut took the second half of. */
function wholeUnits(head: string): number {
  const last = head.charCodeAt(head.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? head.length - 1 : head.length;
}
