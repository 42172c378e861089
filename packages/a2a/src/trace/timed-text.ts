/** A text with the times at which its pieces arrived. */
export class TimedText {
  #text = "";
  #pieces: { readonly t: number; readonly length: number }[] = [];
  #first: number | undefined;

  get text(): string {
    return this.#text;
  }

  /** When the first of it arrived, also where it was replaced since. */
  get first(): number | undefined {
    return this.#first;
  }

  append(t: number, text: string): void {
    if (text === "") return;
    this.#first ??= t;
    this.#text += text;
    this.#pieces.push({ t, length: text.length });
  }

  /** What it says anew as a whole; only what is new of it has just arrived. */
  replace(t: number, text: string): void {
    if (text.startsWith(this.#text)) {
      this.append(t, text.slice(this.#text.length));
      return;
    }
    this.#text = "";
    this.#pieces = [];
    this.append(t, text);
  }

  /** Forgets the text, not when it began. */
  clear(): void {
    this.#text = "";
    this.#pieces = [];
  }

  /** The pieces of a stretch of it, in order. */
  pieces(from = 0, to: number = this.#text.length): readonly Piece[] {
    const found: Piece[] = [];
    let at = 0;
    for (const { t, length } of this.#pieces) {
      const inside = Math.min(to, at + length) - Math.max(from, at);
      if (inside > 0) found.push({ t, length: inside });
      at += length;
    }
    return found;
  }
}

/** So many UTF-16 units, and when they arrived. */
export interface Piece {
  readonly t: number;
  readonly length: number;
}

/** What arrived this close to the next belongs to one burst; in milliseconds. */
const BURST_GAP_MS = 10;

/** The longest stretch of such arrivals that counts as a burst; in milliseconds. */
const BURST_MS = 100;

/** UTF-16 units a millisecond. Nothing is written so fast, so it was there already and is only sent. */
const SENT_AT_ONCE = 20;

/**
 * How much of a text was streamed gradually: what had arrived before its end phase. The end phase is
 * the burst that the text ends with: from its last arrival back over those within 10 ms of the next,
 * but no further than 100 ms, and over those that brought 20 characters or more for each millisecond
 * until the next. What is sent at once, in however many pieces, has no other phase.
 */
export function gradualLength(pieces: readonly Piece[]): number {
  const lengths = new Map<number, number>();
  for (const { t, length } of pieces) lengths.set(t, (lengths.get(t) ?? 0) + length);
  const arrivals = [...lengths].sort(([a], [b]) => b - a);
  const last = arrivals[0]?.[0] ?? 0;
  let phase = last;
  for (const [t, length] of arrivals) {
    const gap = phase - t;
    const near = gap <= BURST_GAP_MS && last - t <= BURST_MS;
    if (!near && length < SENT_AT_ONCE * gap) break;
    phase = t;
  }
  return pieces.reduce((sum, { t, length }) => (t < phase ? sum + length : sum), 0);
}
