import { findDates } from "./dates.ts";

export interface Figure {
  /** As written. */
  readonly text: string;
  readonly start: number;
  /** What it may mean: `4.2 million` is 4.2 and 4,200,000. */
  readonly values: readonly number[];
  /** Half of the last place written, scaled: by how much a rounded figure may be off. */
  readonly tolerance: number;
}

const SCALES: { readonly [word: string]: number } = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};
const NUMBER_WORDS =
  "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const NUMBER =
  /(?<![\p{L}\p{N}_.])([-−]?)(\d{1,3}(?:[,'’\u00A0\u202F ]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d+(?:[.,]\d+)*)(?:\s?(k|thousand|mn|m|million|bn|billion)\b)?/giu;
const WORD = new RegExp(`\\b(${NUMBER_WORDS.join("|")})\\b(?:\\s(thousand|million|billion)\\b)?`, "gi");

/**
 * Figures of a text that are not part of a date, compared as numbers: `1,200`, `1 200` and `1.2
 * thousand` meet, `1.5` and `15` do not.
 */
export function findFigures(text: string): readonly Figure[] {
  const rest = withoutDates(text);
  const figures: Figure[] = [];
  for (const match of rest.matchAll(NUMBER)) {
    const [whole, sign, digits = "", scale] = match;
    const value = parseNumber(digits);
    if (Number.isNaN(value)) continue;
    const decimals = /\.(\d+)$/.exec(digits.replace(/^(\d+),(\d{1,2}|\d{4,})$/, "$1.$2"))?.[1]?.length ?? 0;
    figures.push(figure(whole, match.index, sign === "" ? value : -value, scale, decimals));
  }
  for (const match of rest.matchAll(WORD))
    figures.push(
      figure(match[0], match.index, NUMBER_WORDS.indexOf((match[1] ?? "").toLowerCase()) + 2, match[2], 0),
    );
  return figures.sort((a, b) => a.start - b.start);
}

/** Every date blank, all else where it was. */
function withoutDates(text: string): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of findDates(text)) {
    rest += text.slice(from, start) + " ".repeat(end - start);
    from = end;
  }
  return rest + text.slice(from);
}

/**
 * True when the text says what the figure says. A figure with a scale may be rounded; without its
 * scale it stands only in a text that names one elsewhere, as the head of a table does.
 */
export function figureStands(figure: Figure, text: string): boolean {
  const [plain = 0, scaled] = figure.values;
  const scaleApart = SCALE_APART.test(text);
  return findFigures(text).some(({ values: [otherPlain = 0, otherScaled] }) => {
    if (scaled === undefined)
      return same(plain, otherPlain) || (otherScaled !== undefined && same(plain, otherScaled));
    if (otherScaled === undefined && scaleApart && same(plain, otherPlain)) return true;
    return Math.abs(Math.abs(scaled) - Math.abs(otherScaled ?? otherPlain)) <= figure.tolerance;
  });
}

const SCALE_APART =
  /(?:\b(?:thousands?|millions?|billions?|mn|bn|m|k)\b|\b[mkMKT](?:EUR|SEK|NOK|DKK|USD|GBP)\b|['’]000)/i;

function same(a: number, b: number): boolean {
  return Math.abs(Math.abs(a) - Math.abs(b)) <= 1e-9;
}

function figure(
  text: string,
  start: number,
  value: number,
  scaleWord: string | undefined,
  decimals: number,
): Figure {
  const scale = SCALES[(scaleWord ?? "").toLowerCase()];
  if (scale === undefined) return { text: text.trim(), start, values: [value], tolerance: 0 };
  return {
    text: text.trim(),
    start,
    values: [value, Number((value * scale).toPrecision(15))],
    tolerance: (0.5 * scale) / 10 ** decimals,
  };
}

/** Comma and blank group thousands, the point is decimal; `1,5` and `1.234.567` are read the other way. */
function parseNumber(digits: string): number {
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(digits))
    return Number(digits.replaceAll(".", "").replace(",", "."));
  if (/^\d+,(?:\d{1,2}|\d{4,})$/.test(digits)) return Number(digits.replace(",", "."));
  return Number(digits.replace(/[,'’\u00A0\u202F ]/g, ""));
}
