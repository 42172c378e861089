import { readDates, type CalendarDate, type DateMention } from "./dates.ts";
import { blankSpans, fold, type Span } from "./fold.ts";
import { readFigures, type Figure, type Multiple } from "./numbers.ts";
import { unitOf } from "./units.ts";

/** A time of day, such as `7:30`. */
export interface TimeMention extends Span {
  readonly raw: string;
  readonly hour: number;
  readonly minute: string;
  /** Minutes since midnight. */
  readonly minutes: number;
  /** `1 h 02`, which may also be a duration. */
  readonly mayBeDuration: boolean;
  /** With `a.m.` or `p.m.`, or an hour that only a day of 24 hours has. `7:30` may be either half of the day. */
  readonly isExact: boolean;
}

/** A version, option, path, part number or other token that is compared literally. */
export interface Identifier extends Span {
  readonly raw: string;
  readonly folded: string;
}

/** Everything in a text that can be compared with another text. */
export interface Facts {
  readonly dates: readonly DateMention[];
  readonly times: readonly TimeMention[];
  readonly identifiers: readonly Identifier[];
  readonly figures: readonly Figure[];
  readonly multiples: readonly Multiple[];
  /** The text with dates, times and identifiers blanked. */
  readonly rest: string;
}

export interface ReadOptions {
  readonly language?: string | undefined;
  /** Whether the language decides what `1.450` means, as in an answer; in evidence both readings count. */
  readonly strict?: boolean;
}

/** Dates, times, identifiers and figures of a text, in this order of their claim to the characters. */
export function readFacts(text: string, { language, strict = false }: ReadOptions = {}): Facts {
  const { dates, rest: withoutDates } = readDates(text, strict);
  const times = readTimes(withoutDates);
  const withoutTimes = blankSpans(withoutDates, times, "\u0001");
  const identifiers = readIdentifiers(withoutTimes);
  const rest = blankSpans(withoutTimes, identifiers, "\u0001");
  return { dates, times, identifiers, ...readFigures(text, rest, language, strict), rest };
}

const TWELVE_HOURS = "(1[0-2]|0?[1-9])(?:[.:]([0-5]\\d))?";
const HALF_OF_DAY = "\\s?([ap])\\.?m\\b";

const TIME = new RegExp(
  [
    // 6.30 of `6.30 and 9 a.m.`
    `(?<![\\d.,:$€£+−-])${TWELVE_HOURS}(?=\\s?(?:-|–|to|and|or|until|till)\\s?${TWELVE_HOURS}${HALF_OF_DAY})`,
    // 13:07, 7:30 p.m., 07.30 Uhr
    `(?<![\\d.,:+−])(?<!(?:^|[^\\d\\s])[-−])([01]?\\d|2[0-3]):([0-5]\\d)(?![\\d:])(?:${HALF_OF_DAY}\\.?)?`,
    "(?<![\\d.,:])([01]?\\d|2[0-3])\\.([0-5]\\d)\\s(?:Uhr|h)\\b",
    // 22 h 17, 22h17
    "(?<![\\d.,:])(\\d|[01]\\d|2[0-3])\\s?h\\s?([0-5]\\d)(?![\\d\\p{L}])",
    // 10 p.m., 8.30 a.m.
    `(?<![\\d.,:])(1[0-2]|0?[1-9])(?:\\.([0-5]\\d))?${HALF_OF_DAY}\\.?`,
    // 8 Uhr
    "(?<![\\d.,:])([01]?\\d|2[0-4])\\sUhr\\b",
  ].join("|"),
  "giu",
);

function readTimes(text: string): readonly TimeMention[] {
  // `Los 3 am 8.4.2025` has no hour.
  const isPreposition = ({ 0: raw, index }: RegExpExecArray): boolean =>
    /\d\s[ap]m$/.test(raw) && /^\s(?:\d|\P{Any}|[^\p{L}\s])/u.test(text.slice(index + raw.length));
  const matches = [...text.matchAll(TIME)].filter((match) => !isPreposition(match));
  return matches.map((match): TimeMention => {
    const [raw, shared, ofShared, nextHour, , half] = match;
    const hour = Number(shared ?? match[6] ?? match[9] ?? match[11] ?? match[13] ?? match[16]);
    const minute = ofShared ?? match[7] ?? match[10] ?? match[12] ?? match[14] ?? "00";
    // `11 to 2 p.m.` begins in the morning.
    const isOtherHalf = shared !== undefined && hour % 12 > Number(nextHour) % 12;
    const own = (half ?? match[8] ?? match[15])?.toLowerCase();
    const isAfternoon = own === "p" ? !isOtherHalf : own === "a" && isOtherHalf;
    const isMorning = own !== undefined && !isAfternoon;
    const shift = isAfternoon && hour < 12 ? 12 : isMorning && hour === 12 ? -12 : 0;
    return {
      raw,
      hour,
      minute,
      minutes: ((hour + shift) % 24) * 60 + Number(minute),
      mayBeDuration: match[11] !== undefined,
      isExact: (own !== undefined && !isOtherHalf) || hour > 12 || hour === 0,
      start: match.index,
      end: match.index + raw.length,
    };
  });
}

/** A time of day of a date. */
export interface DatedTime {
  readonly date: CalendarDate;
  /** Minutes since midnight. */
  readonly minutes: number;
}

const MAX_DATED_TIMES = 24;
const BETWEEN_DATE_AND_TIME = /^[\s,;:–-]{0,3}(?:at|on|um|am|le|les|a|à|alle|om|op)?[\s,]{0,2}$/iu;

/** `6 July, 22:30` and `22:30 on 6 July`: the first 24 times of a text that have a date beside them. */
export function datedTimes(
  text: string,
  { dates, times }: Pick<Facts, "dates" | "times">,
): readonly DatedTime[] {
  const days = dates.filter(({ day }) => day !== undefined);
  return times.slice(0, MAX_DATED_TIMES).flatMap(({ start, end, minutes }) => {
    const beside = (from: number, to: number): boolean =>
      from <= to && to - from < 12 && BETWEEN_DATE_AND_TIME.test(text.slice(from, to));
    const date = days.find((one) => beside(one.end, start)) ?? days.find((one) => beside(end, one.start));
    return date === undefined ? [] : [{ date, minutes }];
  });
}

// Repetitions are bounded, so that a long token costs linear time.
const IDENTIFIER = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{Sc}])(?:${[
    "[\\p{L}_-]{1,64}\\(\\d\\)", // manual page: xz(1)
    "(?:UTC|GMT)[+\\-−]\\d{1,2}(?::?\\d\\d)?",
    "\\/[\\p{L}\\p{N}_.~-]{1,64}(?:\\/[\\p{L}\\p{N}_.-]{1,64}){0,12}", // path
    "\\.[a-z]{2,8}(?![\\p{L}])", // file extension
    "--?\\d(?![\\d%]|[.,]\\d)", // option: -9
    "--?[a-z][\\w-]{0,64}", // option: --long
    "\\d{1,9}(?:\\.\\d{1,9}){2,8}[\\p{L}\\p{N}]{0,16}", // version: 1.8.2
    "\\p{L}{1,64}(?:[-_/][\\p{L}\\p{N}]{1,64}){0,8}[-_]?\\d[\\p{L}\\p{N}]{0,64}(?:[-_.]\\d[\\p{L}\\p{N}]{0,64}){0,8}", // L5, CVE-2024-3094
    "\\p{Lu}{2,12}(?:-\\p{Lu}{2,12}){1,4}", // CC-BY-SA
    "\\d{1,12}[a-z]?\\d{0,12}[a-zA-Z]{1,2}\\d{1,12}",
    "(?:19|20)\\d\\d[a-z](?!\\p{L})", // release: 2025b
    "[\\p{L}\\p{N}]{1,64}(?:_[\\p{L}\\p{N}]{1,64}){1,8}", // snake_case
    "[A-Z]\\p{L}{1,64}\\/[A-Z]\\p{L}{1,64}(?:_\\p{L}{1,64}){0,4}", // America/New_York
  ].join("|")})`,
  "gu",
);

/** Tokens that look like identifiers and are numbers with a unit, grouped digits, decades or `mid-2025`. */
const NOT_IDENTIFIERS = [
  /^\d+(?:[.,]\d+)?(?:k|m|bn|kb|mb|gb|s|h|x)$/i,
  /^\d{1,3}(?:\.\d{3}){2,}$/,
  /^(?:19|20)\d\ds$/,
  /^\p{Ll}+-(?:19|20)\d\d$/u,
  /^-?\p{Ll}+$/u,
  /^\p{Ll}+-\d{1,3}s$/u,
];

function readIdentifiers(text: string): readonly Identifier[] {
  const found: Identifier[] = [];
  for (const match of text.matchAll(IDENTIFIER)) {
    const raw = match[0];
    if (NOT_IDENTIFIERS.some((pattern) => pattern.test(raw)) && !/^--?[a-z]/.test(raw)) continue;
    if (isMoney(raw) || isUnit(text, match.index, raw)) continue;
    found.push({ raw, folded: fold(raw), start: match.index, end: match.index + raw.length });
  }
  return found;
}

/** `EUR1` of `EUR1,450`. */
function isMoney(raw: string): boolean {
  const letters = /^(\p{Lu}{3})\d+$/u.exec(raw)?.[1];
  return letters !== undefined && unitOf(letters)?.dimension.startsWith("currency:") === true;
}

/** `m2` of `12 m2`, `l/100` of `l/100 km`. */
function isUnit(text: string, start: number, raw: string): boolean {
  const of = /^(\p{L}{1,5})\/\d+$/u.exec(raw)?.[1];
  if (of !== undefined && unitOf(of) !== undefined) return true;
  return unitOf(raw) !== undefined && /\d\s?$/.test(text.slice(Math.max(0, start - 2), start));
}
