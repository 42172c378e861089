import type { Citation } from "../citation.ts";

const REFERENCE = /\[([^[\]\n]{1,120})\]/g;
/** Characters of a reference that may be incomplete, its opening bracket included. */
const MAX_OPEN = 121;

/** Rewrites one text piece by piece. */
export interface SourceNumberStream {
  /** The part of the text that is certain by now. */
  push(piece: string): string;
  /** What was held back, once no more text comes. */
  end(): string;
}

/**
 * Numbers the sources of an answer 1, 2, 3 ... in the order in which its text names them, while that
 * text is written: streamed text and the final result then have the same numbers. A bracket that
 * names no source stays as it is, and its number is given to none that follows.
 */
export class SourceNumbers {
  readonly #isSource: (id: string) => boolean;
  readonly #numbers = new Map<string, string>();
  readonly #given = new Set<string>();
  /** Bracketed numbers in the text that mean something else. */
  readonly #reserved = new Set<string>();
  #last = 0;

  constructor(isSource: (id: string) => boolean) {
    this.#isSource = isSource;
  }

  /** A bracket that was shown before its id became a source keeps that id. */
  numberOf(id: string): string {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#reserved.has(id) && !this.#given.has(id) ? id : this.#next();
    this.#numbers.set(id, number);
    this.#given.add(number);
    return number;
  }

  #next(): string {
    do this.#last++;
    while (this.#reserved.has(String(this.#last)));
    return String(this.#last);
  }

  /** Reserves the bracketed numbers in `text` that are not sources. */
  reserve(text: string): void {
    for (const [, id = ""] of text.matchAll(REFERENCE)) if (!this.#isSource(id)) this.#reserveId(id);
  }

  /** All references at once: one by one, `1 -> 2` and then `2 -> 3` would turn a 1 into a 3. */
  rewrite(text: string): string {
    return text.replace(REFERENCE, (whole, id: string) => {
      if (this.#isSource(id)) return `[${this.numberOf(id)}]`;
      this.#reserveId(id);
      return whole;
    });
  }

  #reserveId(id: string): void {
    if (/^[1-9]\d*$/.test(id)) this.#reserved.add(id);
  }

  /** The citations under their numbers; those that no text named follow the others. */
  order(citations: readonly Citation[]): readonly Citation[] {
    const named = citations.filter(({ id }) => this.#numbers.has(id));
    const rest = citations.filter(({ id }) => !this.#numbers.has(id));
    return [...named, ...rest]
      .map((citation) => ({ ...citation, id: this.numberOf(citation.id) }))
      .sort((a, b) => Number(a.id) - Number(b.id));
  }

  stream(): SourceNumberStream {
    let held = "";
    return {
      push: (piece) => {
        const text = held + piece;
        const open = text.lastIndexOf("[");
        const tail = open === -1 ? "" : text.slice(open);
        held = tail.length > MAX_OPEN || /[\]\n]/.test(tail) ? "" : tail;
        return this.rewrite(text.slice(0, text.length - held.length));
      },
      end: () => {
        const text = held;
        held = "";
        return text;
      },
    };
  }
}
