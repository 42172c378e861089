/** A time as data writes it: `2025`, `2025-Q1`, `2025-H1`, `2025-03`, `2025-03-31`. */
const WRITTEN =
  /^(?<year>\d{4})(?<separator>[-/ ]?)(?:(?<letter>[QqHh])(?<part>[1-4])|(?<month>0[1-9]|1[0-2])(?:[-/](?<day>\d{2}))?)?/;

/** The parts of a time as data writes it; undefined for other text. */
export interface WrittenTime {
  readonly year: number;
  /** What stands between the year and its part. */
  readonly separator: string;
  readonly grain: "year" | "half" | "quarter" | "month" | "day";
  /** First month of it, from 0. */
  readonly month: number;
  readonly day: number;
}

export function readWritten(text: string): WrittenTime | undefined {
  const groups = WRITTEN.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { year, letter, part, month, day, separator = "" } = groups;
  const base = { year: Number(year), separator: `${separator}${letter ?? ""}` };
  if (letter !== undefined) {
    const half = /h/i.test(letter);
    const size = half ? 6 : 3;
    return { ...base, grain: half ? "half" : "quarter", month: (Number(part) - 1) * size, day: 1 };
  }
  if (month === undefined) return { ...base, grain: "year", month: 0, day: 1 };
  const grain = day === undefined ? "month" : "day";
  return { ...base, grain, month: Number(month) - 1, day: Number(day ?? 1) };
}

const MONTHS = { year: 12, half: 6, quarter: 3, month: 1, day: 0 } as const;

/** The first or last day of a time as data writes it, in ms; NaN for other text. */
export function dayOf(text: string, end: boolean): number {
  const written = readWritten(text);
  if (written === undefined) return Number.NaN;
  const { year, month, day, grain } = written;
  if (grain === "day" || !end) return Date.UTC(year, month, day);
  return Date.UTC(year, month + MONTHS[grain], 0);
}
