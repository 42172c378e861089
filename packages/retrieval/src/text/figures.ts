import { findDates } from "./dates.ts";

export interface Figure {
  /** As written. */
  readonly text: string;
  readonly start: number;
  /** What it may mean: `4.2 million` is 4.2 and 4,200,000. */
  readonly values: readonly number[];
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
    figures.push(figure(whole, match.index, sign === "" ? value : -value, scale));
  }
  for (const match of rest.matchAll(WORD))
    figures.push(
      figure(match[0], match.index, NUMBER_WORDS.indexOf((match[1] ?? "").toLowerCase()) + 2, match[2]),
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

function figure(text: string, start: number, value: number, scaleWord: string | undefined): Figure {
  const scale = SCALES[(scaleWord ?? "").toLowerCase()];
  if (scale === undefined) return { text: text.trim(), start, values: [value] };
  return {
    text: text.trim(),
    start,
    values: [value, Number((value * scale).toPrecision(15))],
  };
}

/** Comma and blank group thousands, the point is decimal; `1,5` and `1.234.567` are read the other way. */
function parseNumber(digits: string): number {
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(digits))
    return Number(digits.replaceAll(".", "").replace(",", "."));
  if (/^\d+,(?:\d{1,2}|\d{4,})$/.test(digits)) return Number(digits.replace(",", "."));
  return Number(digits.replace(/[,'’\u00A0\u202F ]/g, ""));
}
