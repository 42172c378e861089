import { fold, foldInPlace, type Span } from "./fold.ts";
import { scaleOf, unitInText, unitOf, unitOfPower, type Unit } from "./units.ts";
import { everyPeriod, numberWord } from "./words.ts";

/** A value that the digits of a figure may have. `1.450` has two where the language is not known. */
export interface Reading {
  readonly value: number;
  /** Digits after the decimal separator, which say how exact the figure is. */
  readonly decimals: number;
}

/** A number in a text, with the power of ten and the unit beside it. */
export interface Figure extends Span {
  readonly raw: string;
  /** Most likely first; without `scale`. */
  readonly readings: readonly Reading[];
  /** 1e6 in `1.2 million`. */
  readonly scale: number;
  readonly unit?: Unit;
  readonly negative: boolean;
  /** Four digits that look like a year. */
  readonly isYear: boolean;
  /** Spelled in letters. */
  readonly isWord: boolean;
  /** Parts of a number that is grouped by spaces, which may be several numbers side by side. */
  readonly groups?: readonly string[];
  /** After a word such as `about`. */
  readonly isRough?: boolean;
  /** Seconds of the period it is for: `480 a month`, `300M downloads / week`. */
  readonly period?: number;
  /** The unit of which it is an amount for each one: `£7.40 per square foot`. */
  readonly per?: Unit;
  /** In a row of a table of the answer, whose header may give the scale. */
  readonly inTable?: boolean;
}

/** `twice`, `doubled`: says something of two other figures. */
export interface Multiple extends Span {
  readonly raw: string;
  readonly value: number;
}

export interface Figures {
  readonly figures: readonly Figure[];
  readonly multiples: readonly Multiple[];
}

const SPACE = "[\\u00a0\\u202f\\u2009 ]";
const SPACES = new RegExp(SPACE, "g");
// Repetitions are bounded, so that a long run of digits costs linear time.
const NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[
    `\\d{1,3}(?:${SPACE}\\d{3}){1,6}(?!\\d)(?:[.,]\\d{1,15})?`,
    `\\d{1,3}(?:['’]\\d{3}){1,6}(?:[.,]\\d{1,15})?`,
    `\\d{1,3}(?:\\.\\d{3}){1,6}(?!\\d)(?:,\\d{1,15})?`,
    `\\d{1,3}(?:,\\d{3}){1,6}(?!\\d)(?:\\.\\d{1,15})?`,
    `\\d{0,30}[.,]?\\d{1,30}`,
  ].join("|")})`,
  "gu",
);

const COMMA_LANGUAGES = ["de", "fr", "es", "it", "nl", "pt"];

/** `.` or `,`, as the language writes decimals; undefined for one that Intl does not know. */
export function decimalSeparator(language: string | undefined): string | undefined {
  if (language === undefined) return undefined;
  // Intl takes long to make a format, and these are asked for with every sentence.
  if (COMMA_LANGUAGES.includes(language)) return ",";
  if (language === "en") return ".";
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.find((part) => part.type === "decimal")?.value;
  } catch {
    return undefined;
  }
}

/** The values that digits may have. With `decimal` one reading; without it both where a separator is ambiguous. */
export function readNumber(raw: string, decimal: string | undefined): readonly Reading[] {
  const digits = raw.replace(SPACES, "").replace(/['’]/g, "");
  const dot = digits.lastIndexOf(".");
  const comma = digits.lastIndexOf(",");
  if (dot >= 0 && comma >= 0) {
    const grouping = dot > comma ? "," : ".";
    return reading(digits.replaceAll(grouping, "").replace(",", "."));
  }
  if (dot < 0 && comma < 0) return reading(digits);
  const separator = dot >= 0 ? "." : ",";
  const parts = digits.split(separator);
  const [whole = "", rest = ""] = parts;
  if (parts.length > 2) return reading(parts.join(""));
  const mayGroup = rest.length === 3 && whole !== "" && whole !== "0" && whole.length <= 3;
  const groups = mayGroup && separator !== decimal ? reading(parts.join("")) : [];
  const decimals =
    !mayGroup || decimal === undefined || separator === decimal ? reading(parts.join(".")) : [];
  return [...groups, ...decimals];
}

function reading(text: string): readonly Reading[] {
  const value = Number(text);
  return Number.isFinite(value) ? [{ value, decimals: (text.split(".")[1] ?? "").length }] : [];
}

/**
 * The figures of a text. `masked` is the text in which dates and identifiers are blanked.
 * @param strict the language decides the readings; else it only orders them, as for evidence.
 */
export function readFigures(
  original: string,
  masked: string,
  language: string | undefined,
  strict: boolean,
): Figures {
  const decimal = decimalSeparator(language);
  const figures: Figure[] = [];
  for (const match of masked.matchAll(NUMBER)) {
    const figure = digitsFigure(original, masked, match, language);
    const readings = orderedReadings(match[0], decimal, strict);
    if (figure !== undefined && readings.length > 0) figures.push({ ...figure, readings });
  }
  return addNumberWords(original, masked, language, figures, strict);
}

function orderedReadings(raw: string, decimal: string | undefined, strict: boolean): readonly Reading[] {
  const likely = readNumber(raw, decimal);
  if (strict || decimal === undefined) return likely;
  const others = readNumber(raw, undefined).filter(
    ({ value }) => !likely.some((reading) => reading.value === value),
  );
  return [...likely, ...others];
}

function digitsFigure(
  original: string,
  masked: string,
  match: RegExpExecArray,
  language: string | undefined,
): Figure | undefined {
  const raw = match[0];
  const start = match.index;
  if (raw.length < 3 && ORDINAL.test(fold(masked.slice(start + raw.length, start + raw.length + 12))))
    return undefined;
  if (/^[.,]/.test(raw) && /\d/.test(masked[start - 1] ?? "")) return undefined;
  const currency = currencyBefore(masked, start);
  // `under-18s` are people.
  const isAge = /\p{Ll}-$/u.test(masked.slice(Math.max(0, start - 2), start));
  const suffix =
    isAge && /^s(?!\p{L})/u.test(masked.slice(start + raw.length))
      ? { scale: 1, end: start + raw.length }
      : readSuffix(masked, start + raw.length, language, currency !== undefined);
  const unit = currency ?? suffix.unit;
  const end = Math.max(start + raw.length, suffix.end);
  return {
    raw: original.slice(start, end),
    start,
    end,
    readings: [],
    scale: suffix.scale,
    ...(unit === undefined ? {} : { unit }),
    ...periodAfter(masked, end),
    ...perAfter(masked, end),
    ...roughness(masked, start),
    negative: isNegative(masked.slice(Math.max(0, start - 4), start)),
    isYear: /^(?:1[89]|20)\d\d$/.test(raw) && suffix.scale === 1 && unit === undefined,
    isWord: false,
    ...(/\s/.test(raw) ? { groups: raw.split(/\s/) } : {}),
  };
}

/** `3rd`, `2e`, `4. Quartal`: a place in an order, which is often written in words. */
const ORDINAL = /^(?:(?:st|nd|rd|th|e|er|re|ere|eme)(?![\p{L}\d])|\.\s(?:quartal|halbjahr))/u;

const PERIOD =
  /^(?:[\s-]\p{L}{1,20}){0,2}?\s?(?:\/|(?:\s|^)(?:per|an?|each|every|pro|je|im|am|par))\s?(second|minute|min|hour|hr|day|working day|week|month|quarter|year|sekunde|stunde|tag|werktag|arbeitstag|woche|monat|quartal|jahr|seconde|heure|jour|semaine|mois|trimestre|an)(?!\p{L})/u;

function periodAfter(text: string, end: number): Pick<Figure, "period"> {
  const name = PERIOD.exec(fold(text.slice(end, end + 40)))?.[1];
  const unit = name === undefined ? undefined : unitOf(PERIOD_UNITS[name] ?? name);
  return unit === undefined ? {} : { period: unit.factor };
}

const PER = /^\s?(?:\/\s?|(?:per|pro|je|par|por)\s)(\p{L}[\p{L}²³]{0,24})(?:\s(\p{L}{3,12}))?/iu;

function perAfter(text: string, end: number): Pick<Figure, "per"> {
  const [, word = "", next = ""] = PER.exec(text.slice(end, end + 48)) ?? [];
  const unit = unitOfPower(word, next) ?? unitInText(word);
  return unit === undefined || unit.dimension === "time" ? {} : { per: unit };
}

const ROUGH =
  /(?:about|around|roughly|some|approximately|nearly|almost|over|under|ca\.?|circa|rund|etwa|ungefahr|knapp(?:e[nr]?)?|gut|fast|uber|unter|environ|presque|quelque|pres de|plus de|moins de|~|≈)\s?(?:\p{Sc}|\p{Lu}{3})?\s?$/iu;

function roughness(text: string, start: number): Pick<Figure, "isRough"> {
  return ROUGH.test(fold(text.slice(Math.max(0, start - 24), start))) ? { isRough: true } : {};
}

const PERIOD_UNITS: Readonly<Record<string, string>> = {
  "working day": "day",
  quarter: "quarters",
  quartal: "quarters",
  trimestre: "quarters",
};

function isNegative(before: string): boolean {
  return /[-−–](?:US\$|[$€£])?$/.test(before) && !/[\p{L}\p{N}%]\s?[-−–]$/u.test(before);
}

const CURRENCY_BEFORE =
  /(?:^|[\s([|~≈<>+-])(US\$|C\$|A\$|EUR|USD|GBP|CHF|SEK|NOK|DKK|JPY|INR|CAD|AUD|PLN|[$€£¥₹])\s?[-−]?$/u;

function currencyBefore(text: string, at: number): Unit | undefined {
  const name = CURRENCY_BEFORE.exec(text.slice(Math.max(0, at - 8), at))?.[1];
  return name === undefined ? undefined : unitOf(name);
}

interface Suffix {
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
function readSuffix(text: string, from: number, language: string | undefined, currency: boolean): Suffix {
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
  const unit = isArticle ? undefined : unitAt(plain, word, apart);
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

function unitAt(plain: string, word: string, apart: boolean): Unit | undefined {
  // `Go` and `To` are gigabytes and terabytes, `go` and `to` are words.
  if (["to", "go", "mo", "ko"].includes(word) && !/^\p{Lu}/u.test(plain)) return undefined;
  if (plain === "K" && apart) return undefined;
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

/** `three Go releases`: gigabytes come with digits. */
function wordSuffix(text: string, end: number, language: string | undefined): Suffix {
  const suffix = readSuffix(text, end, language, false);
  return /^\s?[KMGT]o$/.test(text.slice(end, suffix.end)) ? { scale: 1, end } : suffix;
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

function addNumberWords(
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
    const every = strict || word !== undefined ? undefined : everyPeriod(match[0]);
    if (every !== undefined)
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
    if (word === undefined || start < claimed) continue;
    if (word.kind === "multiple")
      multiples.push({ raw: original.slice(start, end), value: word.value, start, end });
    if (word.kind !== "count") continue;
    // `two thirds` is a fraction, which is not compared.
    const after = /^[\s-]{1,2}(\p{L}{1,20})/u.exec(folded.slice(end, end + 24));
    if (after !== null && numberWord(after[1] ?? "", language)?.kind === "fraction") {
      claimed = end + after[0].length;
      continue;
    }
    const { scale, unit, end: suffixEnd } = wordSuffix(masked, end, language);
    figures.push({
      raw: original.slice(start, Math.max(end, suffixEnd)),
      start,
      end: Math.max(end, suffixEnd),
      readings: [{ value: word.value, decimals: 0 }],
      scale,
      ...(unit === undefined ? {} : { unit }),
      ...periodAfter(masked, Math.max(end, suffixEnd)),
      ...roughness(masked, start),
      negative: false,
      isYear: false,
      isWord: true,
    });
    claimed = Math.max(end, suffixEnd);
  }
  return { figures, multiples };
}

/** The value of a figure with its power of ten, by its most likely reading. */
export function valueOf(figure: Figure): number {
  return (figure.readings[0]?.value ?? 0) * figure.scale;
}

/** Digits that count: 2 in `1,200`, 3 in `12.0`. */
export function significantDigits(figure: Figure): number {
  return String(figure.readings[0]?.value ?? "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "").length;
}
