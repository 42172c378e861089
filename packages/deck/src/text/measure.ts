import carlito from "./carlito.json" with { type: "json" };

/** Text of one look. `size` is in points and overrides the paragraph's. */
export interface Measurable {
  readonly text: string;
  readonly bold?: boolean;
  readonly size?: number;
}

/** Single line spacing of the font, in em. */
export const LINE_HEIGHT = carlito.lineHeight;

const regular = table(carlito.regular);
const bold = table(carlito.bold);

function table(runs: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const out = new Map<number, number>();
  for (const [first = 0, ...widths] of runs) {
    widths.forEach((width, i) => out.set(first + i, width / carlito.unitsPerEm));
  }
  return out;
}

// Scripts set full width, and pictographs: a substitute font draws them about this wide.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
/** Up to here no character is wide; most texts have no other. */
const LAST_NARROW = "\u10ff";
const MARK = /\p{M}|\p{Cf}|\p{Variation_Selector}/u;

/** Width of one character in em. A character Carlito lacks is taken wide rather than narrow. */
export function charWidth(char: string, isBold = false): number {
  const known = (isBold ? bold : regular).get((char === "\u00a0" ? " " : char).codePointAt(0) ?? 0);
  if (known !== undefined) return known;
  if (MARK.test(char)) return 0;
  return WIDE.test(char) ? 1.05 : 0.7;
}

/** Width of a text on one line, in points. Kerning is left out: it only ever narrows by a little. */
export function textWidth(text: string, sizePt: number, isBold = false): number {
  return measured(text, isBold).em * sizePt;
}

/** A part of a text that no line breaks inside, at size 1. */
interface Token {
  readonly kind: "space" | "wide" | "word";
  readonly em: number;
  readonly chars: readonly number[];
  /** A line may break after it, though no space follows. */
  readonly closed: boolean;
}

/** Characters whose tokens are kept; one text is measured at many sizes and in many boxes. */
const MAX_KEPT_CHARS = 2_000_000;
const kept = { regular: new Map<string, Measured>(), bold: new Map<string, Measured>(), chars: 0 };

/** A text at size 1: all of it, and without its spaces. */
interface Measured {
  readonly tokens: readonly Token[];
  readonly em: number;
  readonly inkEm: number;
}

function measured(text: string, isBold: boolean): Measured {
  const known = kept[isBold ? "bold" : "regular"];
  const found = known.get(text);
  if (found !== undefined) return found;
  if (kept.chars > MAX_KEPT_CHARS) {
    kept.regular.clear();
    kept.bold.clear();
    kept.chars = 0;
  }
  const tokens = tokenize(text, isBold);
  const widthOf = (some: readonly Token[]): number => sum(some.map(({ em }) => em));
  const made = { tokens, em: widthOf(tokens), inkEm: widthOf(tokens.filter(({ kind }) => kind !== "space")) };
  known.set(text, made);
  kept.chars += text.length;
  return made;
}

/** Cuts a text where a line may break: spaces, after a hyphen, between wide characters. */
function tokenize(text: string, isBold: boolean): readonly Token[] {
  const out: Token[] = [];
  let chars: number[] = [];
  const flush = (closed: boolean): void => {
    if (chars.length > 0) out.push({ kind: "word", em: sum(chars), chars, closed });
    chars = [];
  };
  for (const char of text) {
    const em = charWidth(char, isBold);
    if (char === " ") {
      flush(true);
      out.push({ kind: "space", em, chars: [], closed: true });
    } else if (char > LAST_NARROW && WIDE.test(char)) {
      flush(true);
      out.push({ kind: "wide", em, chars: [em], closed: true });
    } else {
      chars.push(em);
      if (char === "-" || char === "–" || char === "—") flush(true);
    }
  }
  flush(false);
  return out;
}

interface Piece {
  readonly width: number;
  readonly space: boolean;
  /** Widths of its characters, for a piece that is wider than the line. */
  readonly chars: () => readonly number[];
}

/** The tokens of all runs in points; a word that continues in the next run is one token. */
function pieces(runs: readonly Measurable[], size: number): Piece[] {
  const out: Piece[] = [];
  let word: { token: Token; pt: number }[] = [];
  const flush = (): void => {
    const parts = word;
    if (parts.length > 0)
      out.push({
        width: parts.reduce((total, { token, pt }) => total + token.em * pt, 0),
        space: false,
        chars: () => parts.flatMap(({ token, pt }) => token.chars.map((em) => em * pt)),
      });
    word = [];
  };
  for (const run of runs) {
    const pt = run.size ?? size;
    for (const token of measured(run.text, run.bold ?? false).tokens) {
      if (token.kind !== "word") flush();
      if (token.kind === "space") {
        out.push({ width: token.em * pt, space: true, chars: () => [] });
        continue;
      }
      word.push({ token, pt });
      if (token.closed) flush();
    }
  }
  flush();
  return out;
}

/** Lines that `runs` take in `widthPt`, broken greedily as office programs do; a long word is cut. */
export function countLines(runs: readonly Measurable[], sizePt: number, widthPt: number): number {
  let lines = 1;
  let x = 0;
  let pending = 0;
  for (const piece of pieces(runs, sizePt)) {
    if (piece.space) {
      pending += piece.width;
      continue;
    }
    if (x > 0 && x + pending + piece.width > widthPt) {
      lines += 1;
      x = 0;
      pending = 0;
    }
    if (piece.width <= widthPt) {
      x += pending + piece.width;
    } else {
      for (const width of piece.chars()) {
        if (x > 0 && x + width > widthPt) {
          lines += 1;
          x = 0;
        }
        x += width;
      }
    }
    pending = 0;
  }
  return lines;
}

/** Lower bound of the number of lines, without breaking the text; cheap for text that is far too long. */
export function minLines(runs: readonly Measurable[], sizePt: number, widthPt: number): number {
  const ink = sum(runs.map((run) => measured(run.text, run.bold ?? false).inkEm * (run.size ?? sizePt)));
  return Math.max(1, Math.ceil(ink / widthPt - 1e-6));
}

/** The widest piece that cannot be broken, in points. */
export function longestWord(runs: readonly Measurable[], sizePt: number): number {
  return pieces(runs, sizePt).reduce((max, piece) => Math.max(max, piece.width), 0);
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
