import type { Figure } from "./figure.ts";
import { fold } from "./fold.ts";
import { scaleOf, unitInText, unitOf, unitOfPower, type Unit } from "./units.ts";
import { everyPeriod } from "./words.ts";

const PERIOD =
  /^(?:[\s-]\p{L}{1,20}){0,3}?\s?(?:\/|(?:\s|^)(?:per|an?|each|every|pro|je|im|am|par))\s?(second|minute|min|hour|hr|day|working day|week|month|quarter|year|sekunde|stunde|tag|werktag|arbeitstag|woche|monat|quartal|jahr|seconde|heure|jour|semaine|mois|trimestre|an)(?!\p{L}|\sof\s)/u;

/** `148 a month`, `148 monthly`. */
export function periodAfter(text: string, end: number): Pick<Figure, "period"> {
  const after = fold(text.slice(end, end + 40));
  const name = PERIOD.exec(after)?.[1];
  const unit = name === undefined ? undefined : unitOf(PERIOD_UNITS[name] ?? name);
  if (unit !== undefined) return { period: unit.factor };
  return everyDays(/^\s(\p{L}{5,20})(?!\p{L})/u.exec(after)?.[1]);
}

const WORDS_BEFORE = /(?<!\p{L})\p{L}{1,20}(?:\s\p{L}{1,20}){0,4}\s(?:\p{Sc}|eur|usd|gbp|chf)?\s?$/u;

/** `monthly 148`, `a monthly rent of 148`: up to four words before it. */
export function periodBefore(text: string, start: number): Pick<Figure, "period"> {
  const words = WORDS_BEFORE.exec(fold(text.slice(Math.max(0, start - 72), start)))?.[0] ?? "";
  return everyDays(periodicWord(words));
}

/** The period that a label names: `Monthly rent`, `Price per day`. */
export function periodIn(label: string): Pick<Figure, "period"> {
  const folded = fold(label);
  const word = periodicWord(folded);
  if (word !== undefined) return everyDays(word);
  const at = /\s(?:per|pro|je|par)\s/u.exec(folded)?.index;
  return at === undefined ? {} : periodAfter(folded, at);
}

function periodicWord(folded: string): string | undefined {
  return folded.match(/(?<!\p{L})\p{L}{5,20}(?!\p{L})/gu)?.find((one) => everyPeriod(one) !== undefined);
}

function everyDays(word: string | undefined): Pick<Figure, "period"> {
  const days = word === undefined ? undefined : everyPeriod(word);
  return days === undefined ? {} : { period: days * DAY_SECONDS };
}

const DAY_SECONDS = 86_400;

const PERIOD_UNITS: Readonly<Record<string, string>> = {
  "working day": "day",
  quarter: "quarters",
  quartal: "quarters",
  trimestre: "quarters",
};

const PER = /^\s?(?:\/\s?|(?:per|pro|je|par|por)\s)(\p{L}[\p{L}²³]{0,24})(?:\s(\p{L}{3,12}))?/iu;

export function perAfter(text: string, end: number): Pick<Figure, "per"> {
  const [, word = "", next = ""] = PER.exec(text.slice(end, end + 48)) ?? [];
  const unit = unitOfPower(word, next) ?? unitInText(word);
  return unit === undefined || unit.dimension === "time" ? {} : { per: unit };
}

const ROUGH =
  /(?:about|around|roughly|some|approximately|nearly|almost|over|under|ca\.?|circa|rund|etwa|ungefahr|knapp(?:e[nr]?)?|gut|fast|uber|unter|environ|presque|quelque|pres de|plus de|moins de|~|≈)\s?(?:\p{Sc}|\p{Lu}{3})?\s?$/iu;

export function roughness(text: string, start: number): Pick<Figure, "isRough"> {
  return ROUGH.test(fold(text.slice(Math.max(0, start - 24), start))) ? { isRough: true } : {};
}

export interface Suffix {
  readonly scale: number;
  readonly unit?: Unit;
  readonly end: number;
}

const WORD = /[\p{L}$€£¥₹%‰°µμ][\p{L}$€£%°'’µμ²³]{0,40}(?:\/\p{L}{1,4}(?!\p{L}))?/uy;
const GAP = /[\s\u00a0\u202f-]{0,2}/y;
const PER_CENT = /(?:per|pour|por|pro)\s?(?:cento?|ciento)(?!\p{L})/uy;
/** `M€`, `k€`, `TEUR`. */
export const SCALED_MONEY = /^(k|t|m|mio|md|mrd|bn)s?(€|\$|£|eur|usd|chf)$/i;
/** Words between a number and its unit: `points de pourcentage`, `millions d'euros`, `US dollars`. */
const LINKS = ["de", "d", "us", "di", "working", "business", "calendar"];

/** The power of ten and the unit that follow a number. */
export function readSuffix(
  text: string,
  from: number,
  language: string | undefined,
  currency: boolean,
): Suffix {
  let suffix: Suffix = { scale: 1, end: from };
  for (let step = 0; step < 2; step++) {
    const next = readSuffixWord(text, suffix, language, currency, step > 0);
    if (next === undefined) break;
    suffix = next;
    if (suffix.unit !== undefined || suffix.scale === 1) break;
  }
  return suffix;
}

function readSuffixWord(
  text: string,
  before: Suffix,
  language: string | undefined,
  currency: boolean,
  scaled: boolean,
): Suffix | undefined {
  const at = matchEnd(GAP, text, before.end);
  if (text.slice(before.end, at).includes("\n")) return undefined;
  const percentEnd = matchEnd(PER_CENT, text, at);
  if (percentEnd > at) return { ...before, unit: { dimension: "percent", factor: 1 }, end: percentEnd };
  WORD.lastIndex = at;
  const match = WORD.exec(text);
  if (match === null) return undefined;
  const [whole] = match;
  const apart = at > before.end;
  const plain = whole.includes("/") && unitOf(whole) === undefined ? (whole.split("/")[0] ?? "") : whole;
  const word = fold(plain).replace(/^[dl]'/, "");
  const money = scaled ? null : SCALED_MONEY.exec(plain);
  if (money !== null) {
    const unit = unitOf(money[2] ?? "");
    const scale = money[1]?.toLowerCase() === "t" ? 1e3 : (scaleOf(fold(money[1] ?? "")) ?? 1);
    return { scale, ...(unit === undefined ? {} : { unit }), end: at + plain.length };
  }
  const end = at + plain.length;
  if (!scaled) {
    const scale = scaleAt(text, { word, plain, apart, end, currency, language });
    if (scale !== undefined) {
      const dot = text[end] === "." && word.length < 5 ? 1 : 0;
      return { scale, end: end + dot };
    }
  }
  // `an` is a year in French alone.
  const isArticle = word === "an" && language !== undefined && !language.startsWith("fr");
  const unit = isArticle
    ? undefined
    : unitAt(plain, word, apart, !/^\s?[\p{L}\d]/u.test(text.slice(end, end + 2)));
  if (unit?.dimension === "length") {
    const power = linkedUnit(text, before, word, at, end);
    if (power !== undefined) return power;
  }
  if (unit !== undefined) return { ...before, unit, end };
  return linkedUnit(text, before, word, at, end);
}

interface SuffixWord {
  readonly word: string;
  readonly plain: string;
  readonly apart: boolean;
  readonly end: number;
  readonly currency: boolean;
  readonly language: string | undefined;
}

function scaleAt(
  text: string,
  { word, plain, apart, end, currency, language }: SuffixWord,
): number | undefined {
  if (word === "mio") return isMillion(text, end, language) ? 1e6 : undefined;
  if (word === "b" && currency) return 1e9;
  if (word === "hundred" || word === "hundert") return 100;
  if (plain === "K" && apart) return undefined;
  if (plain === "m" && apart && !currency && !/^\s?[€$£]/.test(text.slice(end, end + 2))) return undefined;
  const scale = scaleOf(word);
  if (scale === undefined) return undefined;
  return word.length > 1 && unitOf(plain) !== undefined ? undefined : scale;
}

/** `Mio` is a million in German and in front of money, else mebioctets. */
function isMillion(text: string, end: number, language: string | undefined): boolean {
  return (
    text[end] === "." ||
    language?.startsWith("de") === true ||
    /^\s?(?:eur|usd|chf|€|\$)/i.test(text.slice(end, end + 6))
  );
}

function unitAt(plain: string, word: string, apart: boolean, isLast: boolean): Unit | undefined {
  // `Go` and `To` are gigabytes and terabytes, `go` and `to` are words.
  if (["to", "go", "mo", "ko"].includes(word) && !/^\p{Lu}/u.test(plain)) return undefined;
  if (plain === "K" && apart) return undefined;
  // `in 2024 A new`
  if (plain === "A" && !isLast) return undefined;
  // `50p`
  if (plain === "p" && !apart) return unitOf("pence");
  return unitOf(plain) ?? (word === plain ? undefined : unitOf(word));
}

function linkedUnit(text: string, before: Suffix, word: string, at: number, end: number): Suffix | undefined {
  const next = /^\s+(\p{L}{1,30})/u.exec(text.slice(end, end + 40));
  const second = next?.[1];
  if (second === undefined) return undefined;
  const secondEnd = end + (next?.[0].length ?? 0);
  if (word === "percentage" && /^points?$/i.test(second))
    return { ...before, unit: { dimension: "points", factor: 1 }, end: secondEnd };
  if (word === "basis" && /^points?$/i.test(second))
    return { ...before, unit: { dimension: "basis", factor: 1 }, end: secondEnd };
  const power = unitOfPower(word, second);
  if (power !== undefined) return { ...before, unit: power, end: secondEnd };
  if (word === "nautical" && /^miles?$/i.test(second))
    return { ...before, unit: { dimension: "length", factor: 1852 }, end: secondEnd };
  if (!LINKS.includes(word) || at === before.end) return undefined;
  const unit = unitOf(second);
  return unit === undefined ? undefined : { ...before, unit, end: secondEnd };
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
