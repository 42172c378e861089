import type { Figure, Figures, Reading } from "./figure.ts";
import { fold } from "./fold.ts";
import { perAfter, periodAfter, periodBefore, readSuffix, roughness } from "./suffix.ts";
import { unitOf, type Unit } from "./units.ts";
import { addNumberWords } from "./word-figures.ts";

export type { Figure, Figures, Multiple, Reading } from "./figure.ts";
export { SCALED_MONEY } from "./suffix.ts";

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
    ...periodBefore(masked, start),
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

function isNegative(before: string): boolean {
  return /[-−–](?:US\$|[$€£])?$/.test(before) && !/[\p{L}\p{N}%]\s?[-−–]$/u.test(before);
}

const CURRENCY_BEFORE =
  /(?:^|[\s([|~≈<>+*_"'„“-])(US\$|C\$|A\$|EUR|USD|GBP|CHF|SEK|NOK|DKK|JPY|INR|CAD|AUD|PLN|[$€£¥₹])\s?[-−]?$/u;

function currencyBefore(text: string, at: number): Unit | undefined {
  const name = CURRENCY_BEFORE.exec(text.slice(Math.max(0, at - 8), at))?.[1];
  return name === undefined ? undefined : unitOf(name);
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
