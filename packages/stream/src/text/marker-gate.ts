/** A stretch of text, with the role it was born with. */
export interface GatePart {
  readonly role: "open" | "answer";
  readonly text: string;
}

/** Where a gate stands, to go on from later. Plain JSON. */
export interface GateState {
  readonly opened: boolean;
  /** Line breaks behind the opening marker are still being dropped. */
  readonly trimming: boolean;
  /** The end of the text so far that may still become a marker. */
  readonly held: string;
  /** The last character that was let through or dropped. */
  readonly before: string;
}

const MARKER = /\[final[ _]answer\]/gi;
const SPELLINGS = ["[final answer]", "[final_answer]"] as const;
const MARKER_LENGTH = SPELLINGS[0].length;
/** The start of a heading; the character before it is looked at, too. */
const HEADING = /[\r\n](#{1,6}[ \t]{0,3})$/;
const MAX_HEADING = 9;
const MAX_EMPHASIS = 3;
const LINE_BREAKS = /^[\r\n]+/;
/** What is dropped directly behind the marker. */
const BEHIND = /^:?[\r\n]*/;
/** A marker directly between two of these is spoken about, not given. */
const CLOSING_QUOTES: { readonly [open: string]: string } = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "«": "»",
  "„": "“",
  "‚": "‘",
};

/** What a marker at some place of the text is, as far as the text behind it can tell. */
type Verdict =
  | { readonly kind: "marker"; readonly from: number; readonly to: number }
  | { readonly kind: "mention" }
  | { readonly kind: "undecided"; readonly from: number };

/**
 * Splits a stream of text at `[FINAL ANSWER]` or `[FINAL_ANSWER]`, in any case: what comes before
 * is `open`, what comes after is `answer`. Pieces may be cut anywhere and the parts are the same.
 *
 * - Only an end of the text that may still become a marker or its wrapping is held back.
 * - A colon and line breaks right behind the marker are dropped, and so is every later marker; where that would
 *   make another of what stands around it, the rest of that one too.
 * - A marker in `**`, `__`, `*` or in a heading loses its wrapping with it.
 * - A marker directly between quotes or backticks is only mentioned: it stays text, opens nothing.
 * - What comes out is well formed: half a surrogate pair waits, a lone one becomes U+FFFD.
 *
 * Linear in the input: at most 40 characters are held back and looked at again.
 */
export class MarkerGate {
  #opened: boolean;
  #trimming: boolean;
  #held: string;
  #before: string;
  /** The end of the answer so far: a marker may have begun there. */
  #shown = "";
  /** A begun marker, let through right before one that was dropped: its rest is not to follow. */
  #seam = "";
  #parts: GatePart[] = [];

  /** With `state`, goes on where another gate stood. */
  constructor(state: GateState = { opened: false, trimming: false, held: "", before: "\n" }) {
    this.#opened = state.opened;
    this.#trimming = state.trimming;
    this.#held = state.held;
    this.#before = state.before;
  }

  get state(): GateState {
    return { opened: this.#opened, trimming: this.#trimming, held: this.#held, before: this.#before };
  }

  /** The marker has come. */
  get opened(): boolean {
    return this.#opened;
  }

  push(piece: string): readonly GatePart[] {
    if (piece !== "") this.#take(this.#held + piece, false);
    return this.#taken();
  }

  /** A tool call follows. Only a marker that was begun is held over it, for its rest to follow. */
  boundary(): readonly GatePart[] {
    return this.#held.includes("[") ? this.#taken() : this.end();
  }

  /** No text follows for now: nothing is held back any more. */
  end(): readonly GatePart[] {
    this.#take(this.#held, true);
    this.#before = "\n";
    return this.#taken();
  }

  #taken(): readonly GatePart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #take(text: string, last: boolean): void {
    let from = 0;
    MARKER.lastIndex = 0;
    for (;;) {
      const rest = this.#restAtSeam(text.slice(from, from + MARKER_LENGTH), last);
      if (rest === undefined) {
        this.#held = text.slice(from);
        return;
      }
      if (rest > 0) {
        from += rest;
        MARKER.lastIndex = from;
        continue;
      }
      const found = MARKER.exec(text);
      if (found === null) break;
      const verdict = this.#judge(text, from, found.index, last);
      if (verdict.kind === "mention") continue;
      if (verdict.kind === "undecided") {
        this.#let(text.slice(from, verdict.from));
        this.#held = text.slice(verdict.from);
        return;
      }
      this.#let(text.slice(from, verdict.from));
      from = verdict.to;
      MARKER.lastIndex = from;
      this.#before = "]";
      if (this.#opened) {
        this.#seam = begunMarker(this.#shown);
      } else {
        this.#opened = true;
        this.#trimming = true;
        this.#shown = "";
      }
    }
    const to = last ? text.length : this.#heldFrom(text, from);
    this.#let(text.slice(from, to));
    this.#held = text.slice(to);
  }

  /** Units of `text` that would complete a marker over the seam; undefined while that is open. */
  #restAtSeam(text: string, last: boolean): number | undefined {
    if (this.#seam === "") return 0;
    const over = (this.#seam + text).toLowerCase();
    if (SPELLINGS.some((spelling) => over.startsWith(spelling))) return MARKER_LENGTH - this.#seam.length;
    if (!last && begunMarker(over) === over) return undefined;
    this.#seam = "";
    return 0;
  }

  #judge(text: string, from: number, marker: number, last: boolean): Verdict {
    const end = marker + MARKER_LENGTH;
    const wrapped = this.#wrapStart(text, from, marker);
    const emphasis = text.slice(this.#emphasisStart(text, from, marker), marker);
    // `**[FINAL ANSWER]:**` is as common as `**[FINAL ANSWER]**:`.
    const colon = emphasis !== "" && text[end] === ":" ? 1 : 0;
    const behind = text.slice(end + colon, end + colon + emphasis.length);
    const closed = emphasis !== "" && behind === emphasis;
    if (!closed && !last && behind.length < emphasis.length && emphasis.startsWith(behind)) {
      return { kind: "undecided", from: wrapped };
    }
    const start = closed ? marker - emphasis.length : marker;
    const to = closed ? end + colon + emphasis.length : end;
    const quote = CLOSING_QUOTES[this.#charBefore(text, from, start)];
    if (quote !== undefined) {
      if (to === text.length && !last) return { kind: "undecided", from: start };
      if (text[to] === quote) return { kind: "mention" };
    }
    return { kind: "marker", from: closed || emphasis === "" ? wrapped : start, to };
  }

  /** Where the end of `text` begins that may still become a marker or its wrapping. */
  #heldFrom(text: string, from: number): number {
    const held = this.#wrapStart(text, from, text.length - begunMarker(text.slice(from)).length);
    if (held < text.length) return held;
    const code = text.charCodeAt(text.length - 1);
    return text.length > from && code >= 0xd800 && code <= 0xdbff ? text.length - 1 : text.length;
  }

  /** Start of the heading and emphasis that end at `at`; `at` where there are none. */
  #wrapStart(text: string, from: number, at: number): number {
    const emphasis = this.#emphasisStart(text, from, at);
    const start = Math.max(from, emphasis - MAX_HEADING - 1);
    const line = (start === from ? this.#before : "") + text.slice(start, emphasis);
    const heading = HEADING.exec(line)?.[1] ?? "";
    return emphasis - heading.length;
  }

  /** Start of the one to three `*` or `_` that end at `at`. */
  #emphasisStart(text: string, from: number, at: number): number {
    const char = text[at - 1];
    if (at === from || (char !== "*" && char !== "_")) return at;
    let start = at - 1;
    while (start > from && at - start <= MAX_EMPHASIS && text[start - 1] === char) start--;
    const more = at - start > MAX_EMPHASIS || (start === from && this.#before === char);
    return more ? at : start;
  }

  #charBefore(text: string, from: number, at: number): string {
    return at > from ? text.charAt(at - 1) : this.#before;
  }

  /** Lets text through. */
  #let(text: string): void {
    if (text === "") return;
    const behind = this.#before === "]" ? BEHIND : LINE_BREAKS;
    this.#before = text.charAt(text.length - 1);
    this.#shown = (this.#shown + text.slice(1 - MARKER_LENGTH)).slice(1 - MARKER_LENGTH);
    const rest = this.#trimming ? text.replace(behind, "") : text;
    if (rest === "") return;
    this.#trimming = false;
    const role = this.#opened ? "answer" : "open";
    const part = this.#parts.at(-1);
    if (part?.role === role) {
      this.#parts[this.#parts.length - 1] = { role, text: part.text + rest.toWellFormed() };
    } else {
      this.#parts.push({ role, text: rest.toWellFormed() });
    }
  }
}

/** The end of `text` that may still become a marker; empty where there is none. */
function begunMarker(text: string): string {
  const end = text.slice(1 - MARKER_LENGTH);
  const tail = end.slice(Math.max(0, end.lastIndexOf("[")));
  return SPELLINGS.some((spelling) => spelling.startsWith(tail.toLowerCase())) ? tail : "";
}
