import { monthOf, timestamp, weekdayOf, type CalendarDate } from "../text/dates.ts";
import { fold } from "../text/fold.ts";
import { isFunctionWord } from "../text/language.ts";
import { stemOf } from "../text/names.ts";
import { periodsOf } from "../text/periods.ts";

/** A date as a text has it; without `raw` one that follows from a period such as `2026-Q3`. */
export type WrittenDate = CalendarDate & { readonly raw?: string };

/** A line with a date. */
export interface DatedLine {
  readonly dates: readonly CalendarDate[];
  /** Its table or list; undefined in running text. */
  readonly block: string | undefined;
  readonly stems: ReadonlySet<string>;
}

/** Lines, days of the week and periods of a text, for all sentences that are compared with it. Each is read on first use. */
export class DateIndex {
  readonly #source: string;
  readonly #dates: readonly WrittenDate[];
  #lines: readonly DatedLine[] | undefined;
  #namedWeekdays: ReadonlySet<number> | undefined;
  #weekdaysOfDates: ReadonlySet<number> | undefined;
  #periods: ReadonlySet<string> | undefined;

  constructor(source: string, dates: readonly WrittenDate[]) {
    this.#source = source;
    this.#dates = dates;
  }

  get lines(): readonly DatedLine[] {
    return (this.#lines ??= readLines(this.#source, this.#dates));
  }

  /** Days of the week that it names, from 0 for Sunday. */
  get namedWeekdays(): ReadonlySet<number> {
    return (this.#namedWeekdays ??= new Set(weekdaysIn(this.#source)));
  }

  /** Days of the week of its full dates. */
  get weekdaysOfDates(): ReadonlySet<number> {
    return (this.#weekdaysOfDates ??= new Set(weekdaysOf(this.#dates)));
  }

  /** Quarters and halves of a year that it names: `q3`, `h1`. */
  get periods(): ReadonlySet<string> {
    return (this.#periods ??= periodsOf(this.#source));
  }
}

function readLines(source: string, dates: readonly WrittenDate[]): readonly DatedLine[] {
  const lines: DatedLine[] = [];
  let kind: string | undefined;
  let block = 0;
  const byRaw = Map.groupBy(
    dates.filter(({ day }) => day !== undefined),
    ({ raw }) => raw,
  );
  for (const line of source.split("\n")) {
    const mark = /^\s{0,8}(?:(\|)|([-*•])\s|(\d{1,3}\.)\s)/.exec(line);
    const next = mark === null ? undefined : mark[1] === undefined ? "list" : "table";
    if (next !== kind) block++;
    kind = next;
    const ofLine = /\d/.test(line)
      ? [...byRaw].flatMap(([raw, same]) => (raw !== undefined && line.includes(raw) ? same : []))
      : [];
    if (ofLine.length > 0)
      lines.push({
        dates: ofLine,
        block: kind === undefined ? undefined : `${kind} ${block}`,
        stems: stemsIn(line),
      });
  }
  return lines;
}

/** Stems of the words that tell what a line or sentence is about. */
export function stemsIn(text: string): ReadonlySet<string> {
  const words = fold(text).match(/\p{L}{5,40}/gu) ?? [];
  return new Set(
    words
      .filter((word) => monthOf(word) === undefined && weekdayOf(word) === undefined && !isFunctionWord(word))
      .map((word) => stemOf(word).slice(0, STEM_LENGTH)),
  );
}

/** Letters by which forms of a word are alike: `visit`, `visited`. */
const STEM_LENGTH = 4;

/** Words that may be days of the week. */
export const WEEKDAY_WORD = /(?<!\p{L})\p{L}{2,12}(?!\p{L})/gu;

/** The days of the week of full dates. */
export function weekdaysOf(dates: readonly CalendarDate[]): readonly number[] {
  return dates.flatMap((date) =>
    date.year === undefined || date.day === undefined
      ? []
      : [new Date(timestamp(date, 0) * 1000).getUTCDay()],
  );
}

/** `Tue to Fri` names all days between, too. */
function weekdaysIn(text: string): readonly number[] {
  const days: number[] = [];
  let end = 0;
  for (const match of text.matchAll(WEEKDAY_WORD)) {
    // Short forms such as "do" and "sun" are words of their own where they are small.
    const isShort = match[0].length < 5 && !/^\p{Lu}/u.test(match[0]);
    const day = isShort ? undefined : weekdayOf(fold(match[0]));
    if (day === undefined) continue;
    const previous = days.at(-1);
    const isRange = /^\.?\s?(?:-|–|to|bis|au|through|until)\s?$/.test(text.slice(end, match.index));
    if (isRange && previous !== undefined)
      for (let between = (previous + 1) % 7; between !== day; between = (between + 1) % 7) days.push(between);
    days.push(day);
    end = match.index + match[0].length;
  }
  return days;
}
