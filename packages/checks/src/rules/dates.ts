import type { Claim } from "../claim.ts";
import { stemsIn, weekdaysOf, WEEKDAY_WORD } from "../evidence/date-index.ts";
import { holdsToken } from "../evidence/evidence.ts";
import type { EvidenceText } from "../evidence/passage.ts";
import { fold } from "../text/fold.ts";
import { periodsOf, periodsOfMonth } from "../text/periods.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import {
  agrees,
  DEFAULT_YEAR,
  timestamp,
  weekdayOf,
  type CalendarDate,
  type DateMention,
} from "../text/dates.ts";
import type { TimeMention } from "../text/facts.ts";
import { everyPeriod } from "../text/words.ts";

/** Texts in which the dates of a sentence may stand. */
export function dateScope(claim: Claim): readonly EvidenceText[] {
  const { isCited, cited, citedTables, namedRows, evidence } = claim;
  // A sentence that cites passages uses a result by the rows it names.
  const tables =
    cited.length === 0 || citedTables.length > 0
      ? evidence.tables
      : evidence.tables.filter((table) => namedRows.has(table));
  return [...(isCited ? cited : []), ...tables, ...evidence.given];
}

/** `15 June` of "14–16 June 2024". */
function isInRange({ day, month, year }: DateMention, { dateIndex, years }: EvidenceText): boolean {
  if (day === undefined || month === undefined || (year !== undefined && !years.has(year))) return false;
  return dateIndex.dayRanges.some((range) => range.month === month && range.from <= day && day <= range.to);
}

/** Whether a text names the date, as far as the sentence does. */
export function standsAsDate(date: DateMention, text: EvidenceText, language: string | undefined): boolean {
  const american = language === undefined || language.startsWith("en");
  const forms = date.monthFirst !== undefined && american ? [date, date.monthFirst] : [date];
  const known = text.dates.some((other) =>
    forms.some(
      (form) =>
        (agrees(form, other) || (isEdgeOfMonth(form, other) && text.dateIndex.isBound(other))) &&
        (form.year === undefined || other.year !== undefined || text.years.has(form.year)),
    ),
  );
  if (known || isInRange(date, text)) return true;
  return (
    date.month === undefined && date.day === undefined && date.year !== undefined && text.years.has(date.year)
  );
}

const RELATIVE_YEAR =
  /(?:(?:last|next|previous|prior|coming|this|following) year|(?:last|year) year's|year after next|(?:letzt|vergangen|vorig|nachst|kommend|ubernachst|folgend|dies)\p{L}* jahr|vorjahr|folgejahr|(?:l'an|annee) (?:dernier|derniere|prochain|passe|suivant|precedent))/u;

/** `2028` where a passage that is read in 2026 says "the year after next". */
export function isRelativeYear(year: number, { cited, evidence }: Claim): boolean {
  const today = evidence.given.flatMap(({ years }) => [...years]);
  return cited.some(
    ({ years, folded }) =>
      RELATIVE_YEAR.test(folded) && [...today, ...years].some((other) => Math.abs(other - year) <= 2),
  );
}

/** `15 February 2027` where the passage, which is about 2026, says "15 February of the following year". */
export function isInRelativeYear(date: DateMention, claim: Claim): boolean {
  const { year, month, day } = date;
  if (year === undefined || month === undefined || day === undefined) return false;
  const isNamed = claim.cited.some(({ dates }) =>
    dates.some((other) => other.year === undefined && other.month === month && other.day === day),
  );
  return isNamed && isRelativeYear(year, claim);
}

/** The first or last day of a month that a text names without a day: `31 March` for "by the end of March". */
function isEdgeOfMonth(stated: CalendarDate, known: CalendarDate): boolean {
  const { year, month, day } = stated;
  if (month === undefined || day === undefined || known.day !== undefined || known.month !== month)
    return false;
  const isLast = new Date(Date.UTC(year ?? known.year ?? 2024, month, 0)).getUTCDate() === day;
  return (day === 1 || isLast) && agrees({ ...(year === undefined ? {} : { year }), month }, known);
}

/**
 * A date of another line of a table or list than the one the sentence speaks of: `the assessor visited on 13 February`,
 * where that line is about a report, and the one about the visit has the 19th. All words of the sentence have to be that
 * line's: `six weeks passed between the start on 3 March and the pilot` speaks of two.
 */
export function isOfOtherLine(date: DateMention, { cited, text, language }: Claim): boolean {
  if (date.day === undefined || cited.length === 0) return false;
  if (cited.some((passage) => passage.language !== undefined && passage.language !== language)) return false;
  const lines = cited.flatMap(({ dateIndex }) => dateIndex.lines);
  const own = lines.filter((line) => line.dates.some((other) => agrees(date, other)));
  if (own.length === 0 || own.some(({ block }) => block === undefined)) return false;
  const stems = [...stemsIn(text)];
  if (stems.length === 0 || own.some((line) => stems.some((stem) => line.stems.has(stem)))) return false;
  return lines.some(
    (line) => own.some(({ block }) => block === line.block) && stems.every((stem) => line.stems.has(stem)),
  );
}

const BOUNDARY =
  /(?:before|vor(?: dem)?|avant(?: le)?|prior to|until|bis(?: zum)?|jusqu'au|after|nach(?: dem)?|apres(?: le)?)\s$/;

/** `until 31 July 2009` where the passage says "before August 1, 2009". */
function isDayBeside(date: DateMention, { cited }: Claim): boolean {
  if (date.day === undefined || date.year === undefined) return false;
  const year = date.year;
  return cited.some(({ dates, folded }) =>
    dates.some((other) => {
      if (other.day === undefined || other.year === undefined || other.raw === undefined) return false;
      if (Math.abs(timestamp(other, year) - timestamp(date, year)) !== DAY_SECONDS) return false;
      const at = folded.indexOf(fold(other.raw));
      return at > 0 && BOUNDARY.test(folded.slice(Math.max(0, at - 16), at));
    }),
  );
}

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 2_629_800;

const MAX_DURATIONS = 20;
const MAX_DATES = 30;

/**
 * Whether a date is a stated duration before or after another one of the sentence, its passages, or the person:
 * `18 months from May 2026`, `31 May, two weeks before the start` on 14 June.
 */
export function isComputedDate(date: DateMention, claim: Claim): boolean {
  const { facts, cited, evidence } = claim;
  if (date.month === undefined) return false;
  if (isDayBeside(date, claim)) return true;
  const stated = durationsOf(facts.figures);
  const given = evidence.given.flatMap(({ dates }) => dates).slice(0, MAX_DATES / 2);
  const own = [...facts.dates, ...given];
  const all = [...own, ...cited.flatMap(({ dates }) => dates)].slice(0, MAX_DATES);
  const isBackward = BACKWARD.test(fold(claim.text));
  const follows = (duration: Figure, other: CalendarDate, mayPrecede: boolean): boolean => {
    const factor = duration.unit?.factor ?? 1;
    // Days and weeks do not lead to a month without a day.
    if (!isOtherDate(date, other) || (date.day === undefined && factor < MONTH_SECONDS * 0.9)) return false;
    const year = date.year ?? other.year ?? claim.years[0] ?? DEFAULT_YEAR;
    const span = timestamp(date, year) - timestamp(other, year);
    const seconds = valueOf(duration) * factor;
    const apart = mayPrecede && span < 0 ? -span : span;
    return Math.abs(apart - seconds) <= toleranceOf(date, other, factor);
  };
  return (
    stated.some((duration) => all.some((other) => follows(duration, other, isBackward))) ||
    cited.some((passage) =>
      durationsOf(passage.figures.filter(({ column, row }) => (column ?? row) === undefined)).some(
        (duration) =>
          own.some((other) => follows(duration, other, false)) ||
          passage.dates.some(
            (other) => isNear(duration, other) && follows(duration, other, isBefore(duration, passage)),
          ),
      ),
    )
  );
}

function durationsOf(figures: readonly Figure[]): readonly Figure[] {
  return figures
    .filter(
      ({ unit, isWord, raw }) =>
        unit?.dimension === "time" &&
        unit.factor >= DAY_SECONDS &&
        // `annual` says how often.
        !(isWord && everyPeriod(fold(raw)) !== undefined),
    )
    .slice(0, MAX_DURATIONS);
}

const BACKWARD =
  /(?<!\p{L})(?:before|prior|earlier|ago|ahead|vor|zuvor|vorher|fruher|avant|plus tot|auparavant)(?!\p{L})/u;

/** `two weeks before the start` */
function isBefore({ end }: Figure, { source }: EvidenceText): boolean {
  return BACKWARD.test(fold(source.slice(end, end + 16)));
}

/** Characters between a date and a duration that begins at it. */
const MAX_DISTANCE = 120;

function isNear({ start }: Figure, other: CalendarDate & { readonly start?: number }): boolean {
  return other.start !== undefined && Math.abs(other.start - start) < MAX_DISTANCE;
}

/** Whether two dates with a day differ; without a day, whether they are of different months of known years. */
function isOtherDate(date: CalendarDate, other: CalendarDate): boolean {
  if (other.month === undefined) return false;
  if (date.day !== undefined && other.day !== undefined) return !agrees(date, other);
  return (
    date.year !== undefined &&
    other.year !== undefined &&
    (other.year !== date.year || other.month !== date.month)
  );
}

/** Months and years vary in length; of days and weeks the first one may count or not. */
function toleranceOf(date: CalendarDate, other: CalendarDate, factor: number): number {
  if (date.day === undefined) return MONTH_SECONDS * 1.1;
  return factor < MONTH_SECONDS - DAY_SECONDS && other.day !== undefined ? DAY_SECONDS : 2 * DAY_SECONDS;
}

/** Quarters and halves of a year that the evidence does not name, though it names others. */
export function wrongPeriods(claim: Claim): readonly string[] {
  const stated = [...periodsOf(claim.text)];
  if (stated.length === 0) return [];
  const { evidence, cited } = claim;
  const texts = [...(cited.length > 0 ? cited : evidence.passages), ...evidence.tables, ...evidence.given];
  const named = new Set(texts.flatMap(({ dateIndex }) => [...dateIndex.periods]));
  const ofDates = new Set(
    texts.flatMap(({ dates }) =>
      dates.flatMap(({ month }) => (month === undefined ? [] : periodsOfMonth(month))),
    ),
  );
  const isOther = (period: string): boolean =>
    [...named].some((one) => one[0] === period[0]) && !named.has(period) && !ofDates.has(period);
  return stated.filter(isOther).map((period) => period.toUpperCase());
}

/**
 * Days of the week that are not those of the dates of the sentence, or, in a sentence without a full date, that the
 * evidence does not name though it names others.
 */
export function wrongWeekdays(claim: Claim): readonly string[] {
  const { facts, evidence, cited } = claim;
  const stated = (facts.rest.match(WEEKDAY_WORD) ?? []).filter(
    (word) => word.length > 4 && weekdayOf(fold(word)) !== undefined,
  );
  if (stated.length === 0) return [];
  const ofDates = weekdaysOf(facts.dates);
  const texts = [
    ...(cited.length > 0 ? cited : [...evidence.passages, ...evidence.given]),
    ...evidence.tables,
  ];
  const named = new Set(texts.flatMap(({ dateIndex }) => [...dateIndex.namedWeekdays]));
  return stated.filter((word) => {
    const day = weekdayOf(fold(word)) ?? 0;
    if (ofDates.includes(day) || named.has(day)) return false;
    if (ofDates.length > 0 && stated.length === 1) return true;
    // `every day except Monday` where the others are named
    if (named.size === 6) return false;
    return named.size > 0 && !texts.some(({ dateIndex }) => dateIndex.weekdaysOfDates.has(day));
  });
}

/**
 * Whether a text names the time of day: `01:50` as `1:50`, `01.50`, `1.50 am`, `13h50`. Where the text has the same
 * reading of the clock as a time, the half of the day has to be the same too.
 * @param known the times that were read in the text
 */
export function standsAsTime(time: TimeMention, text: EvidenceText, known: readonly TimeMention[]): boolean {
  if (known.some(({ minutes }) => minutes === time.minutes)) return true;
  const alike = known.filter(({ hour, minute }) => hour % 12 === time.hour % 12 && minute === time.minute);
  if (alike.length > 0) {
    // `7:30` beside `19:45` is in the morning.
    const has24Hours = known.some(({ hour }) => hour > 12);
    return !time.isExact || alike.some(({ isExact }) => !isExact && !has24Hours);
  }
  const hours = [time.hour, Math.floor(time.minutes / 60), time.hour % 12 === 0 ? 12 : time.hour % 12];
  return (
    hours.some((hour) =>
      [`${hour}`, `${hour}`.padStart(2, "0")].some((shown) =>
        [":", ".", "h", " h "].some((separator) => holdsToken(text, `${shown}${separator}${time.minute}`)),
      ),
    ) ||
    (time.minute === "00" && namesHour(text, Math.floor(time.minutes / 60)))
  );
}

/** `8–16 Uhr`, `7 to 9 p.m.`: the first hour of a span has no word of its own. */
function namesHour({ folded }: EvidenceText, hour: number): boolean {
  const to = "\\s?(?:-|–|to|bis|a|au|and|und|et)\\s?";
  return [hour, hour % 12].some((shown) =>
    new RegExp(
      `(?<![\\d.,])0?${shown}(?:[.:]00)?(?:${to}\\d{1,2}(?:[.:]\\d\\d)?)?\\s?(?:uhr|h\\b|[ap]\\.?m\\b|o'clock)`,
    ).test(folded),
  );
}
