import type { Figure } from "../text/figure.ts";
import { fold } from "../text/fold.ts";
import { perAfter, periodAfter, periodIn, readSuffix } from "../text/suffix.ts";
import { unitOf, unitOfSymbol, type Unit } from "../text/units.ts";

/** What the numbers of a row or column are in, where its label says so: `Delivered 2025 (1,000 m³)`. */
export interface Measure extends Pick<Figure, "period" | "per"> {
  readonly unit?: Unit;
  /** 1000 of `(EUR 1,000)`; 1 where there is no power of ten. */
  readonly scale: number;
}

const CURRENCY = /^(US\$|[A-Z]{3}(?![A-Za-z])|[$€£¥₹])\s?/u;
/** `1,000` of `1,000 m³`, `'000` of `£'000`. */
const POWER = /^(?:1[.,'’\u00a0\u202f ]?)?((?:[.,'’\u00a0\u202f ]?000)+)(?:s(?!\p{L})|(?![\d.,]))\s?/u;

/** The measure that a label has in brackets, behind a comma, or behind `in`: `Weight (kg)`, `Revenue, £ million`. */
export function labelMeasure(label: string): Measure | undefined {
  return withPeriod(label, readLabel(label));
}

/** The same for the head of a column, where a symbol may have no brackets: `Length km`, `£ per pack`. */
export function headMeasure(head: string): Measure | undefined {
  return withPeriod(head, readLabel(head) ?? measureOf(head.trim()) ?? symbolIn(head));
}

/** A symbol behind a number belongs to that: `Hours outside 45–58 %`. */
function symbolIn(head: string): Measure | undefined {
  const words = head.split(/[\s/]+/);
  for (const [at, word] of words.entries()) {
    const unit = /\d/.test(words[at - 1] ?? "") ? undefined : unitOfSymbol(word);
    if (unit !== undefined) return { scale: 1, unit };
  }
  return undefined;
}

function withPeriod(label: string, measure: Measure | undefined): Measure | undefined {
  const { period } = measure?.period === undefined ? periodIn(label) : measure;
  return period === undefined ? measure : { scale: 1, ...measure, period };
}

const BRACKETS = /(?<=^|\s)[([]([^()[\]|]{1,40})[)\]]|(?<=[^\s(])\(([^()|]{2,40})\)/gu;
const BEHIND_COMMA = /,\s?([^,|]{1,30})$/u;
const BEHIND_IN = /(?:^|\s)((?:in|en)\s[^|]{1,30})$/iu;

function readLabel(label: string): Measure | undefined {
  for (const [, apart, joined] of label.matchAll(BRACKETS)) {
    const measure = measureOf((apart ?? joined ?? "").trim());
    if (measure !== undefined) return measure;
  }
  const phrase = BEHIND_COMMA.exec(label.trimEnd())?.[1] ?? BEHIND_IN.exec(label.trimEnd())?.[1];
  return phrase === undefined ? undefined : measureOf(phrase.trim());
}

/** The measure that a text is as a whole, such as `mg/L`, `1,000 m³ per year` or `in £ million`. */
export function measureOf(text: string): Measure | undefined {
  const phrase = text.replace(/^(?:in|en)\s/iu, "");
  const before = CURRENCY.exec(phrase);
  const currency = before === null ? undefined : unitOf(before[1] ?? "");
  const rest = currency === undefined ? phrase : phrase.slice(before?.[0].length);
  const zeros = POWER.exec(rest);
  const power = 10 ** (zeros?.[1]?.replace(/\D/g, "").length ?? 0);
  const words = ` ${rest.slice(zeros?.[0].length ?? 0)}`;
  const suffix = readSuffix(words, 0, undefined, currency !== undefined);
  const unit = currency ?? suffix.unit;
  const scale = power * suffix.scale;
  if (unit === undefined && scale === 1) return undefined;
  // Further words make it something else: `days lost`.
  if (/^\s\p{L}/u.test(words.slice(suffix.end)) && !isRest(words.slice(suffix.end))) return undefined;
  return {
    ...(unit === undefined ? {} : { unit }),
    scale,
    ...periodAfter(words, suffix.end),
    ...perAfter(words, suffix.end),
  };
}

/** `per year`, or the substance that is measured: `mg/L CaCO3`. */
function isRest(words: string): boolean {
  return (
    /^\s(?:per|pro|je|par|por|an?|of|de|von)\s/.test(fold(words)) ||
    /^\s[A-Z][A-Za-z]{0,5}\d?[A-Za-z\d]{0,5}$/.test(words)
  );
}
