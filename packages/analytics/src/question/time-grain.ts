import type { ColumnInfo } from "../types/schema.ts";

export type Grain = "day" | "week" | "month" | "quarter" | "year";

const DAY_MS = 86_400_000;
/** How late the first day of data may be, or how early the last, for a period to count as whole. */
const SLACK_DAYS = { day: 0, week: 0, month: 3, quarter: 7, year: 15 } as const;

/** A grain that gives a readable number of points over the range of a date column. */
export function grainFor(column: ColumnInfo): Grain {
  const days = (time(column.max) - time(column.min)) / DAY_MS;
  if (days <= 45) return "day";
  if (days <= 800) return "month";
  return days <= 2_250 ? "quarter" : "year";
}

/** First day of the first whole period, first day after the last whole one; ISO dates. */
export interface WholeRange {
  readonly from: string;
  readonly until: string;
  /** What was cut off at the ends, for a person. */
  readonly note: string | undefined;
}

/**
 * The part of a column's range that is made of whole periods: a last quarter of two weeks would look
 * like a collapse. Undefined when fewer than two whole periods are there.
 */
export function wholePeriods(column: ColumnInfo, grain: Grain): WholeRange | undefined {
  if (grain === "day" || grain === "week") return undefined;
  const min = new Date(time(column.min));
  const max = new Date(time(column.max));
  if (Number.isNaN(min.getTime()) || Number.isNaN(max.getTime())) return undefined;
  const slack = SLACK_DAYS[grain] * DAY_MS;
  let from = startOf(min, grain);
  const firstCut = min.getTime() - from.getTime() > slack;
  if (firstCut) from = addPeriod(from, grain, 1);
  let until = addPeriod(startOf(max, grain), grain, 1);
  const lastCut = until.getTime() - DAY_MS - startOfDay(max) > slack;
  if (lastCut) until = addPeriod(until, grain, -1);
  if (addPeriod(from, grain, 2).getTime() > until.getTime()) return undefined;
  const cut = [
    firstCut ? `data begins on ${iso(min)}` : undefined,
    lastCut ? `data ends on ${iso(max)}` : undefined,
  ].filter((text) => text !== undefined);
  return {
    from: iso(from),
    until: iso(until),
    note: cut.length === 0 ? undefined : `Only whole ${grain}s: ${cut.join(", ")}.`,
  };
}

function time(cell: ColumnInfo["min"]): number {
  return typeof cell === "string" ? Date.parse(`${cell.slice(0, 10)}T00:00:00Z`) : Number.NaN;
}

function startOf(date: Date, grain: "month" | "quarter" | "year"): Date {
  const month = date.getUTCMonth();
  const first = grain === "year" ? 0 : grain === "quarter" ? month - (month % 3) : month;
  return new Date(Date.UTC(date.getUTCFullYear(), first, 1));
}

function addPeriod(date: Date, grain: "month" | "quarter" | "year", count: number): Date {
  const months = count * (grain === "year" ? 12 : grain === "quarter" ? 3 : 1);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}

function startOfDay(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS) * DAY_MS;
}

function iso(date: Date): string {
  return date.toISOString().slice(0, 10);
}
