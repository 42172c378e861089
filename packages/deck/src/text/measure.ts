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
  let em = 0;
  for (const char of text) em += charWidth(char, isBold);
  return em * sizePt;
}

interface Piece {
  readonly width: number;
  readonly space: boolean;
  readonly chars: readonly number[];
}

/** Cuts runs into pieces that a line may break between: spaces, after a hyphen, between wide characters. */
function pieces(runs: readonly Measurable[], size: number): Piece[] {
  const out: Piece[] = [];
  let chars: number[] = [];
  const flush = (): void => {
    if (chars.length > 0) out.push({ width: sum(chars), space: false, chars });
    chars = [];
  };
  for (const run of runs) {
    for (const char of run.text) {
      const width = charWidth(char, run.bold) * (run.size ?? size);
      if (char === " ") {
        flush();
        out.push({ width, space: true, chars: [] });
      } else if (WIDE.test(char)) {
        flush();
        out.push({ width, space: false, chars: [width] });
      } else {
        chars.push(width);
        if (char === "-" || char === "–" || char === "—") flush();
      }
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
      for (const width of piece.chars) {
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

/** The widest piece that cannot be broken, in points. */
export function longestWord(runs: readonly Measurable[], sizePt: number): number {
  return pieces(runs, sizePt).reduce((max, piece) => Math.max(max, piece.width), 0);
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
