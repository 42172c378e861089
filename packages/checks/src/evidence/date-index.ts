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

/** Days of one month: `14–16 June`. */
interface DayRange {
  readonly from: number;
  readonly to: number;
  readonly month: number;
}

/** Lines, days of the week and periods of a text, for all sentences that are compared with it. Each is read on first use. */
export class DateIndex {
  readonly #source: string;
  readonly #folded: string;
  readonly #dates: readonly WrittenDate[];
  #lines: readonly DatedLine[] | undefined;
  #namedWeekdays: ReadonlySet<number> | undefined;
  #weekdaysOfDates: ReadonlySet<number> | undefined;
  #periods: ReadonlySet<string> | undefined;
  #dayRanges: readonly DayRange[] | undefined;
  readonly #bounds = new Map<string, boolean>();

  /** @param folded `source`, folded. */
  constructor(source: string, folded: string, dates: readonly WrittenDate[]) {
    this.#source = source;
    this.#folded = folded;
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

  get dayRanges(): readonly DayRange[] {
    return (this.#dayRanges ??= readDayRanges(this.#folded));
  }

  /**
   * Whether the text has a month as the end of a span: `by the end of March`, `from March`. Months in digits and those of
   * a period are spans themselves, such as rows of a result.
   */
  isBound({ raw }: WrittenDate): boolean {
    if (raw === undefined || !/\p{L}/u.test(raw)) return true;
    const month = fold(raw);
    const known = this.#bounds.get(month) ?? isBoundIn(this.#folded, month);
    this.#bounds.set(month, known);
    return known;
  }
}

/** Words before a month that make it the end of a span, folded. Some are read as a part of the month: `until may`. */
const BOUND_WORDS =
  "ends?(?: of)?|beginning(?: of)?|start(?:s|ing)?(?: of)?|close of|from|since|until|till|through|by|before|after|as of|to|between|effective|" +
  "ende|anfang|beginn|ab|seit|bis(?: zum)?|vor|nach|zwischen|per|zum|" +
  "fins?(?: de)?|debut(?: de)?|depuis|(?:a|au) (?:partir|compter) (?:de|du)|jusqu'(?:en|a|au)|d'ici|avant|apres|entre|des|" +
  "desde|hasta|a partir de|antes de|finales de|principios de|entro|fino a|dal?|fine|inizio|dopo|prima di|" +
  "vanaf|tot|sinds|eind|begin|voor|na|ate|fim de|inicio de|depois de";
const FILLERS =
  "the|of|and|including|inclusive|einschliesslich|inkl|month|de|du|le|la|mois|fin|ende|end|debut|d'";
const BOUND_BEFORE = new RegExp(`(?<!\\p{L})(?:${BOUND_WORDS})\\s(?:(?:${FILLERS})\\s){0,4}$`, "u");
const BOUND_INSIDE = new RegExp(`^(?:${BOUND_WORDS})\\s`, "u");
/** `January to March`: the other month of a span. */
const SPAN_AFTER =
  /^(?:\s(?:19|20)\d\d)?\s?(?:-|–|to|through|until|till|bis|a|au|hasta|tot|al)\s?(\p{L}{3,12})/u;
const SPAN_BEFORE = /(\p{L}{3,12})(?:\s(?:19|20)\d\d)?\s?(?:-|–|a|au|al)\s?$/u;
const MAX_AROUND = 60;

function isBoundIn(text: string, month: string): boolean {
  if (BOUND_INSIDE.test(month)) return true;
  for (let at = text.indexOf(month); at >= 0; at = text.indexOf(month, at + month.length)) {
    const before = text.slice(Math.max(0, at - MAX_AROUND), at);
    const after = text.slice(at + month.length, at + month.length + MAX_AROUND);
    const others = [SPAN_BEFORE.exec(before)?.[1], SPAN_AFTER.exec(after)?.[1]];
    if (BOUND_BEFORE.test(before) || others.some((word) => monthOf(word ?? "") !== undefined)) return true;
  }
  return false;
}

const DAY_RANGE = /(?<!\d)(\d{1,2})\.?\s?(?:-|–|to|bis|au|und|and|et)\s?(\d{1,2})\.?\s(\p{L}{3,12})/gu;

function readDayRanges(folded: string): readonly DayRange[] {
  return [...folded.matchAll(DAY_RANGE)].flatMap(([, from, to, name = ""]) => {
    const month = monthOf(name);
    return month === undefined ? [] : [{ from: Number(from), to: Number(to), month }];
  });
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
