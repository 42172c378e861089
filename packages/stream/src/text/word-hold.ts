/** A longer word, such as an address or a line of code, is let through as it comes. */
const MAX_WORD = 64;
const BLANK = /\s/;

/**
 * Holds the last word of a stream of text back until it is whole, for readers that show words and
 * not tokens. Joined, the pieces are the text, byte for byte; a space belongs to the word before it.
 */
export class WordHold {
  #held = "";

  /** What is whole words by now, often the empty string. */
  push(piece: string): string {
    const end = lastBlank(piece);
    if (end === -1) {
      this.#held += piece;
      return this.#held.length > MAX_WORD ? this.end() : "";
    }
    const words = this.#held + piece.slice(0, end + 1);
    const rest = piece.slice(end + 1);
    this.#held = rest.length > MAX_WORD ? "" : rest;
    return rest.length > MAX_WORD ? words + rest : words;
  }

  /** No text follows, or something else comes first: what was held back. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}

/** Looks back from the end, as a pattern would look forward from every blank. */
function lastBlank(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !BLANK.test(text.charAt(at))) at--;
  return at;
}
