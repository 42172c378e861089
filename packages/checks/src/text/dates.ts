import { fold, foldInPlace, blankSpans, once, type Span } from "./fold.ts";
import { LOCALES } from "./units.ts";

/** A day, a month or a year, as far as the text says. Months count from 1. */
export interface CalendarDate {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

export interface DateMention extends CalendarDate, Span {
  readonly raw: string;
  /** `04/07/2025` read month first, as in American English. */
  readonly monthFirst?: CalendarDate;
}

/** Locales whose short months are read too; in others they are everyday words (`out`, `set`, `ago`). */
const SHORT_MONTHS: readonly string[] = ["en", "de", "fr"];

const months = once(() => {
  const names = new Map<string, number>();
  for (const locale of LOCALES)
    for (let month = 0; month < 12; month++) {
      const date = new Date(Date.UTC(2024, month, 15));
      for (const style of SHORT_MONTHS.includes(locale) ? (["long", "short"] as const) : (["long"] as const))
        for (const name of monthNames(locale, style, date))
          if (/^\p{L}{3,}$/u.test(name) && !names.has(name)) names.set(name, month + 1);
    }
  names.set("sept", 9);
  return names;
});

function monthNames(locale: string, month: "long" | "short", date: Date): readonly string[] {
  const alone = new Intl.DateTimeFormat(locale, { month, timeZone: "UTC" }).format(date);
  const parts = new Intl.DateTimeFormat(locale, { month, day: "numeric", timeZone: "UTC" }).formatToParts(
    date,
  );
  const besideDay = parts.find((part) => part.type === "month")?.value ?? "";
  return [alone, besideDay].map((name) => fold(name).replace(".", ""));
}

/** The month that a folded word names, from 1. */
export function monthOf(word: string): number | undefined {
  return months().get(word);
}

const weekdays = once(() => {
  const names = new Map<string, number>();
  for (const locale of LOCALES)
    for (let day = 0; day < 7; day++)
      for (const weekday of ["long", "short"] as const) {
        // 7 January 2024 was a Sunday.
        const date = new Date(Date.UTC(2024, 0, 7 + day));
        const name = new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" }).format(date);
        names.set(fold(name).replace(".", ""), day);
      }
  return names;
});

/** The day of the week that a folded word names, from 0 for Sunday, also in the plural. */
export function weekdayOf(word: string): number | undefined {
  return weekdays().get(word) ?? (word.length > 5 ? weekdays().get(word.replace(/s$/, "")) : undefined);
}

interface DatePattern {
  readonly pattern: RegExp;
  readonly read: (
    match: RegExpExecArray,
  ) => (CalendarDate & { readonly monthFirst?: CalendarDate }) | undefined;
  /** Whether it needs the name of a month: most texts have none. */
  readonly hasMonth?: true;
  /** First day of a span such as `6 to 24 April`. */
  readonly from?: (match: RegExpExecArray) => CalendarDate;
}

const number = (text: string | undefined): number => Number(text);
const month = (text: string | undefined): number => monthOf(text ?? "") ?? 1;

/** In order of their claim to the characters. Applied to folded text. */
const patterns = once((): readonly DatePattern[] => {
  const names = [...months().keys()].sort((a, b) => b.length - a.length);
  const name = `(${names.join("|")})`;
  const alone = names.filter(
    (word) => word.length > 4 || ["juni", "juli", "june", "july", "juin", "aout"].includes(word),
  );
  // `chokidar 4 of September`: a day before "of" has its ending.
  const day = "(?!\\d{1,2}\\sof\\s)(\\d{1,2})(?:\\.|st|nd|rd|th|er)?";
  const of = "\\s(?:of\\s|de\\s|del\\s)?";
  const notInNumber = "(?<![\\d.,])";
  const to = "\\s?(?:-|–|to|bis|au|al|a|tot|until|and|und|et)(?:\\szum)?\\s?";
  return [
    {
      hasMonth: true,
      pattern: new RegExp(
        `${notInNumber}${day}${to}${day}${of}${name}(?:\\.?,?\\s(?:de\\s|del\\s)?(\\d{4}))?(?![\\d\\p{L}])`,
        "gu",
      ),
      read: (m) => ({ ...optionalYear(m[4]), month: month(m[3]), day: number(m[2]) }),
      from: (m) => ({ ...optionalYear(m[4]), month: month(m[3]), day: number(m[1]) }),
    },
    {
      hasMonth: true,
      pattern: new RegExp(
        `(?<!\\p{L})${name}\\.?\\s${day}${to}${day}(?:,?\\s(\\d{4}))?(?![\\d.,]*\\d|\\s?%)`,
        "gu",
      ),
      read: (m) => ({ ...optionalYear(m[4]), month: month(m[1]), day: number(m[3]) }),
      from: (m) => ({ ...optionalYear(m[4]), month: month(m[1]), day: number(m[2]) }),
    },
    {
      pattern: /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/gu,
      read: (m) => validDate({ year: number(m[1]), month: number(m[2]), day: number(m[3]) }),
    },
    {
      hasMonth: true,
      pattern: new RegExp(`${notInNumber}${day}${of}${name}\\.?,?\\s(?:de\\s|del\\s)?(\\d{4})(?!\\d)`, "gu"),
      read: (m) => ({ year: number(m[3]), month: month(m[2]), day: number(m[1]) }),
    },
    {
      hasMonth: true,
      pattern: new RegExp(
        `(?<!\\p{L})${name}\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?(?:,\\s|\\s)(\\d{4})(?!\\d)`,
        "gu",
      ),
      read: (m) => ({ year: number(m[3]), month: month(m[1]), day: number(m[2]) }),
    },
    {
      hasMonth: true,
      pattern: new RegExp(`${notInNumber}${day}${of}${name}(?!\\p{L})`, "gu"),
      read: (m) => ({ month: month(m[2]), day: number(m[1]) }),
    },
    {
      hasMonth: true,
      pattern: new RegExp(`(?<!\\p{L})${name}\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?(?![\\d.,]*\\d|\\s?%)`, "gu"),
      read: (m) => ({ month: month(m[1]), day: number(m[2]) }),
    },
    {
      hasMonth: true,
      pattern: new RegExp(`(?<!\\p{L})${name}\\.?,?\\s(?:de\\s|del\\s)?(\\d{4})(?!\\d)`, "gu"),
      read: (m) => ({ year: number(m[2]), month: month(m[1]) }),
    },
    {
      pattern: /(?<![\d/.])(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)/gu,
      read: (m) => numericDate(number(m[1]), number(m[2]), number(m[3])),
    },
    {
      pattern: /(?<![\d-])((?:19|20)\d\d)-(\d{2})(?![\d-])/gu,
      read: (m) => {
        const second = number(m[2]);
        return second >= 1 && second <= 12 ? { year: number(m[1]), month: second } : { year: number(m[1]) };
      },
    },
    {
      // Months that are other words, too.
      hasMonth: true,
      pattern:
        /(?<!\p{L})(?:en|fin|debut|depuis|mi-|jusqu'en|in|since|by|until|of|during|im|seit|bis|ende|anfang|mitte|ab)\s?(may|mai|marz|mars)(?!\p{L})/gu,
      read: (m) => ({ month: month(m[1]) }),
    },
    {
      hasMonth: true,
      pattern: new RegExp(`(?<!\\p{L})(${alone.join("|")})(?!\\p{L})`, "gu"),
      read: (m) => ({ month: month(m[1]) }),
    },
  ];
});

const anyMonth = once(() => new RegExp(`(?<!\\p{L})(?:${[...months().keys()].join("|")})`, "u"));

function optionalYear(text: string | undefined): CalendarDate {
  return text === undefined ? {} : { year: number(text) };
}

function validDate(date: CalendarDate): CalendarDate | undefined {
  const { month: ofYear = 1, day: ofMonth = 1 } = date;
  return ofYear >= 1 && ofYear <= 12 && ofMonth >= 1 && ofMonth <= 31 ? date : undefined;
}

function numericDate(first: number, second: number, year: number): ReturnType<DatePattern["read"]> {
  const dayFirst = validDate({ year, month: second, day: first });
  const monthFirst = validDate({ year, month: first, day: second });
  if (dayFirst === undefined) return monthFirst;
  return monthFirst === undefined ? dayFirst : { ...dayFirst, monthFirst };
}

/** Months that are also other words: in evidence they always count as months. */
const SHORT_MONTH: DatePattern = {
  hasMonth: true,
  pattern: /(?<!\p{L})(may|mai|marz|mars)(?!\p{L})/gu,
  read: (m) => ({ month: month(m[1]) }),
};

const VERBS: ReadonlySet<string> = new Set(["may", "march", "august"]);

/**
 * The dates of a text, and the text with them blanked.
 * @param isAnswer - in an answer, a word such as `May` is a month only beside a day, a year or a preposition
 */
export function readDates(
  text: string,
  isAnswer: boolean,
): { readonly dates: readonly DateMention[]; readonly rest: string } {
  const dates: DateMention[] = [];
  let rest = text;
  let folded = foldInPlace(text);
  const hasMonth = anyMonth().test(folded);
  for (const one of isAnswer ? patterns() : [...patterns(), SHORT_MONTH]) {
    const { pattern, read, from, hasMonth: needsMonth } = one;
    if (needsMonth === true && !hasMonth) continue;
    const spans: DateMention[] = [];
    const first: DateMention[] = [];
    for (const match of folded.matchAll(pattern)) {
      const start = match.index;
      const raw = text.slice(start, start + match[0].length);
      // `may` and `march` are verbs where they are small.
      const isSmall = !/\d/.test(raw) && /^\p{Ll}/u.test(raw);
      if (isSmall && (VERBS.has(raw) || (raw.length < 5 && one !== SHORT_MONTH))) continue;
      const date = read(match);
      if (date === undefined) continue;
      spans.push({ ...date, raw, start, end: start + match[0].length });
      if (from !== undefined) first.push({ ...from(match), raw, start, end: start + match[0].length });
    }
    for (const date of [spans, first].flat()) dates.push(date);
    rest = blankSpans(rest, spans, "\u0001");
    folded = blankSpans(folded, spans, "\u0001");
  }
  return { dates, rest };
}

/** Whether two dates agree in all that the first one says; where one lacks the year, it is not compared. */
export function agrees(stated: CalendarDate, known: CalendarDate): boolean {
  return (
    (stated.year === undefined || known.year === undefined || stated.year === known.year) &&
    (stated.month === undefined || stated.month === known.month) &&
    (stated.day === undefined || stated.day === known.day)
  );
}

/** Year of dates without one; no leap year. */
export const DEFAULT_YEAR = 2025;

/** Seconds since 1970 of a date, with `year` where it has none. */
export function timestamp(date: CalendarDate, year: number): number {
  return Date.UTC(date.year ?? year, (date.month ?? 1) - 1, date.day ?? 1) / 1000;
}
