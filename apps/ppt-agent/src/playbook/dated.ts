import { MONTH_NAMES } from "@troupe/core";

import type { Statement } from "./read-briefing.ts";

/** A statement that ends with its date: `..., by 30 June 2026.` */
const DATED = new RegExp(
  `^(.{12,}?),?\\s((?:by|from|on|in|until|since|before|after)\\s)((?:(\\d{1,2})\\s)?(${MONTH_NAMES.join("|")})\\s(\\d{4}))\\.?$`,
  "i",
);
const MIN_DATED = 3;

export interface DatedStatement extends Statement {
  /** The statement as it was. */
  readonly of: Statement;
}

/** Statements by their dates, `By 30 June 2026: ...`, in order; nothing where fewer than three have one. */
export function dated(statements: readonly Statement[]): readonly DatedStatement[] {
  const found = statements.flatMap((statement) => {
    const [, rest = "", preposition = "", date = "", day = "1", month = "", year = ""] =
      statement.text.length > 400 ? [] : (DATED.exec(statement.text) ?? []);
    if (date === "") return [];
    const time = Date.UTC(Number(year), MONTH_NAMES.indexOf(month.toLowerCase()), Number(day));
    const when = `${preposition.charAt(0).toUpperCase()}${preposition.slice(1).toLowerCase()}${date}`;
    return [{ time, statement: { ...statement, text: `${when}: ${rest}`, of: statement } }];
  });
  if (found.length < MIN_DATED) return [];
  return found.toSorted((a, b) => a.time - b.time).map(({ statement }) => statement);
}

const DAY = new RegExp(`^(?:(\\d{1,2})\\.?\\s)?(${MONTH_NAMES.join("|")})\\s(\\d{4})$`, "i");

interface Day {
  readonly day?: number;
  /** From 1. */
  readonly month: number;
  readonly name: string;
  readonly year: number;
}

function readDay(text: string): Day | undefined {
  const [, day, name = "", year = ""] = DAY.exec(text.slice(0, 40)) ?? [];
  if (name === "") return undefined;
  const month = MONTH_NAMES.indexOf(name.toLowerCase()) + 1;
  return { ...(day === undefined ? {} : { day: Number(day) }), month, name, year: Number(year) };
}

/** Milliseconds since the epoch at the end of `30 June 2026` or `June 2026`; undefined where it is no date. */
export function dateOf(text: string): number | undefined {
  const read = readDay(text);
  if (read === undefined) return undefined;
  const { day, month, year } = read;
  return day === undefined ? Date.UTC(year, month, 1) - 1 : Date.UTC(year, month - 1, day + 1) - 1;
}

/** The year of `30 June 2026` or `June 2026`. */
export const yearOf = (text: string): number | undefined => readDay(text)?.year;

/** `30 June 2026`, of milliseconds since the epoch. */
export function dayOf(time: number): string {
  return `${new Date(time).getUTCDate()} ${monthOf(time)}`;
}

/** `June 2026`, of milliseconds since the epoch. */
export function monthOf(time: number): string {
  const date = new Date(time);
  const month = MONTH_NAMES[date.getUTCMonth()] ?? "";
  return `${month.charAt(0).toUpperCase()}${month.slice(1)} ${date.getUTCFullYear()}`;
}

/** `March to September 2026`: from the first of some dates to the last; undefined where one is no date. */
export function spanOf(dates: readonly string[]): string | undefined {
  const days = dates.map(readDay);
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined || days.includes(undefined)) return undefined;
  if (first.year !== last.year) return `${first.name} ${first.year} to ${last.name} ${last.year}`;
  return first.month === last.month
    ? `${first.name} ${first.year}`
    : `${first.name} to ${last.name} ${last.year}`;
}
