import { foldInPlace } from "./fold.ts";
import type { Figure, Figures, Multiple, Reading } from "./figure.ts";
import { periodAfter, readSuffix, roughness, type Suffix } from "./suffix.ts";
import { scaleOf, unitOf } from "./units.ts";
import { everyPeriod, numberWord, ONE_WORDS, type NumberWord } from "./words.ts";

/** `three Go releases`: gigabytes come with digits. */
function wordSuffix(text: string, end: number, language: string | undefined): Suffix {
  const suffix = readSuffix(text, end, language, false);
  return /^\s?[KMGT]o$/.test(text.slice(end, suffix.end)) ? { scale: 1, end } : suffix;
}

interface WordPlace {
  readonly masked: string;
  readonly folded: string;
  /** End of the word. */
  readonly end: number;
  readonly language: string | undefined;
}

interface ReadWords {
  readonly reading: Reading;
  readonly suffix: Suffix;
}

/** A number word with those that follow it: `nine hundred and forty-two`, `ochenta y ocho`, `forty two`. */
function countInWords(first: number, { masked, folded, end, language }: WordPlace): ReadWords {
  let value = first;
  let at = end;
  const hundred = first < 10 ? /^\shundred(?!\p{L})/u.exec(folded.slice(at, at + 9)) : null;
  if (hundred !== null && numberAfter(folded, at + hundred[0].length, language, 100) !== undefined) {
    value *= 100;
    at += hundred[0].length;
  }
  for (let unit = value % 100 === 0 ? 100 : 10; unit >= 10 && value >= 20 && value % unit === 0; unit /= 10) {
    const next = numberAfter(folded, at, language, unit);
    if (next === undefined) continue;
    value += next.value;
    at = next.end;
  }
  return { reading: { value, decimals: 0 }, suffix: wordSuffix(masked, at, language) };
}

/** Behind hundreds, and behind tens, where `and` begins another number: `between twenty and five hundred`. */
const BEHIND_HUNDREDS = /^\s(?:(?:and|y|e)\s)?(\p{L}{1,40}(?:-\p{L}{1,40}){0,3})/u;
const BEHIND_TENS = /^\s(?:[ye]\s)?(\p{L}{1,40}(?:-\p{L}{1,40}){0,3})/u;

/** The number word below `limit` behind a place. */
function numberAfter(
  folded: string,
  at: number,
  language: string | undefined,
  limit: number,
): { readonly value: number; readonly end: number } | undefined {
  const match = (limit === 100 ? BEHIND_HUNDREDS : BEHIND_TENS).exec(folded.slice(at, at + 60));
  const name = match?.[1] ?? "";
  const word = ["one", "uno", "un", "um"].includes(name)
    ? ({ kind: "count", value: 1 } as const)
    : numberWord(name, language);
  if (match === null || word?.kind !== "count" || word.value >= limit || word.value === 0) return undefined;
  return { value: word.value, end: at + match[0].length };
}

/** `tens of thousands`: a range of numbers. */
const MAGNITUDE = /^\sof\s(thousands|millions|billions)(?!\p{L})/u;
const MAGNITUDES: Readonly<Record<string, number>> = { tens: 10, dozens: 10, hundreds: 100 };

/** `a million`, `one percent`, `half a million`, `hundreds of thousands`: numbers only together with the next word. */
function besidePower(
  name: string,
  word: NumberWord | undefined,
  { masked, folded, end, language }: WordPlace,
): ReadWords | undefined {
  const magnitude = MAGNITUDES[name];
  if (magnitude !== undefined) {
    const powers = MAGNITUDE.exec(folded.slice(end, end + 16));
    const scale = scaleOf(powers?.[1]?.replace(/s$/, "") ?? "");
    if (powers === null || scale === undefined) return undefined;
    // Half of the last digit is half of the range.
    const reading = { value: 5.5 * magnitude, decimals: -Math.log10(9 * magnitude) };
    return { reading, suffix: { scale, end: end + powers[0].length } };
  }
  const isPart = word?.kind === "fraction";
  if (!isPart && !ONE_WORDS.has(name)) return undefined;
  const article = isPart ? (/^\s(?:of\s)?an?(?=\s)/u.exec(folded.slice(end, end + 8))?.[0] ?? "") : "";
  const from = end + article.length;
  const suffix = readSuffix(masked, from, language, false);
  const isPower = suffix.scale >= 100 && /^[\s-]\p{L}{4}/u.test(folded.slice(from, from + 6));
  const isPercent = suffix.unit?.dimension === "percent" && !isPart && name !== "a" && name !== "an";
  const value = isPart ? word.value : 1;
  // A third of a million has no last digit.
  if ((!isPower && !isPercent) || (isPart && value !== 0.5 && value !== 0.25)) return undefined;
  return { reading: { value, decimals: isPart ? (value === 0.5 ? 1 : 2) : 0 }, suffix };
}

const LETTERS = /\p{L}{1,40}(?:-\p{L}{1,40}){0,3}/gu;

/** `four` of `four-month`, `twenty-four` of `twenty-four-hour`; other words as they are. */
function beforeUnit(word: string, language: string | undefined): string {
  for (let at = word.lastIndexOf("-"); at > 0; at = word.lastIndexOf("-", at - 1)) {
    const [unit = ""] = word.slice(at + 1).split("-");
    const number = word.slice(0, at);
    if (numberWord(number, language)?.kind === "count" && unitOf(unit) !== undefined) return number;
  }
  return word;
}

/** The figures in digits, and those in words behind them. */
export function addNumberWords(
  original: string,
  masked: string,
  language: string | undefined,
  digits: readonly Figure[],
  strict: boolean,
): Figures {
  const figures = [...digits];
  const multiples: Multiple[] = [];
  const folded = foldInPlace(masked);
  let claimed = 0;
  for (const match of folded.matchAll(LETTERS)) {
    const start = match.index;
    const written = beforeUnit(match[0], language);
    const end = start + written.length;
    // `sechsmal` in evidence is "six times" of an answer.
    const times = strict ? null : /^(\p{L}{3,12})mal$/u.exec(written);
    const word = numberWord(times?.[1] ?? written, language) ?? numberWord(written, language);
    if (start < claimed) continue;
    const every = strict || word !== undefined ? undefined : everyPeriod(match[0]);
    if (every !== undefined) {
      figures.push({
        raw: original.slice(start, end),
        start,
        end,
        readings: [{ value: every, decimals: 0 }],
        scale: 1,
        unit: { dimension: "time", factor: 86_400 },
        negative: false,
        isYear: false,
        isWord: true,
      });
      continue;
    }
    if (word?.kind === "multiple")
      multiples.push({ raw: original.slice(start, end), value: word.value, start, end });
    // `two thirds` is a fraction, which is not compared.
    const after =
      word?.kind === "count" ? /^[\s-]{1,2}(\p{L}{1,20})/u.exec(folded.slice(end, end + 24)) : null;
    if (after !== null && numberWord(after[1] ?? "", language)?.kind === "fraction") {
      claimed = end + after[0].length;
      continue;
    }
    const read =
      word?.kind === "count"
        ? countInWords(word.value, { masked, folded, end, language })
        : besidePower(match[0], word, { masked, folded, end, language });
    if (read === undefined) continue;
    const { reading, suffix } = read;
    const { scale, unit } = suffix;
    claimed = Math.max(end, suffix.end);
    figures.push({
      raw: original.slice(start, claimed),
      start,
      end: claimed,
      readings: [reading],
      scale,
      ...(unit === undefined ? {} : { unit }),
      ...periodAfter(masked, claimed),
      ...roughness(masked, start),
      negative: false,
      isYear: false,
      isWord: true,
    });
  }
  return { figures, multiples };
}
