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
  const ends = endsOf(column, grain);
  if (ends === undefined) return undefined;
  const from = ends.firstCut === undefined ? ends.first : addPeriod(ends.first, grain, 1);
  const until = ends.lastCut === undefined ? addPeriod(ends.last, grain, 1) : ends.last;
  if (addPeriod(from, grain, 2).getTime() > until.getTime()) return undefined;
  const cut = [ends.firstCut, ends.lastCut].filter((text) => text !== undefined);
  return {
    from: iso(from),
    until: iso(until),
    note: cut.length === 0 ? undefined : `Only whole ${grain}s: ${cut.join(", ")}.`,
  };
}

/** A period at an end of the data, which has only a part of it. */
export interface PartialPeriod {
  /** Its first day, and the first one after it; ISO dates. */
  readonly from: string;
  readonly until: string;
  /** `2025-12 is no whole month: data ends on 2025-12-24.` */
  readonly note: string;
}

/** The first and the last period of a column's range, where the data has only a part of them. */
export function partialPeriods(column: ColumnInfo, grain: Grain): readonly PartialPeriod[] {
  if (grain === "day" || grain === "week") return [];
  const ends = endsOf(column, grain);
  if (ends === undefined) return [];
  const one = ends.first.getTime() === ends.last.getTime();
  const cuts = one
    ? [{ start: ends.first, why: [ends.firstCut, ends.lastCut] }]
    : [
        { start: ends.first, why: [ends.firstCut] },
        { start: ends.last, why: [ends.lastCut] },
      ];
  return cuts.flatMap(({ start, why }) => {
    const said = why.filter((text) => text !== undefined).join(", ");
    if (said === "") return [];
    const note = `${labelOf(start, grain)} is no whole ${grain}: ${said}.`;
    return [{ from: iso(start), until: iso(addPeriod(start, grain, 1)), note }];
  });
}

interface Ends {
  /** Where the periods of the first and the last day begin. */
  readonly first: Date;
  readonly last: Date;
  /** Why there is only a part of them; undefined where they are whole. */
  readonly firstCut: string | undefined;
  readonly lastCut: string | undefined;
}

function endsOf(column: ColumnInfo, grain: "month" | "quarter" | "year"): Ends | undefined {
  const covered = coveredBy(column);
  if (covered === undefined) return undefined;
  const [min, max] = covered;
  const slack = SLACK_DAYS[grain] * DAY_MS;
  const first = startOf(min, grain);
  const last = startOf(max, grain);
  const missing = addPeriod(last, grain, 1).getTime() - DAY_MS - startOfDay(max);
  return {
    first,
    last,
    firstCut: min.getTime() - first.getTime() > slack ? `data begins on ${iso(min)}` : undefined,
    lastCut: missing > slack ? `data ends on ${iso(max)}` : undefined,
  };
}

/** The first and the last day that rows tell of: a row of a whole month may have its first or its last day. */
function coveredBy(column: ColumnInfo): readonly [Date, Date] | undefined {
  const min = new Date(time(column.min));
  const max = new Date(time(column.max));
  if (Number.isNaN(min.getTime()) || Number.isNaN(max.getTime())) return undefined;
  const days = [column.min, column.max, ...column.samples].map((cell) => new Date(time(cell)));
  for (const unit of ["year", "quarter", "month"] as const) {
    const firsts = days.every((day) => day.getTime() === startOf(day, unit).getTime());
    const lasts = days.every(
      (day) => day.getTime() === addPeriod(startOf(day, unit), unit, 1).getTime() - DAY_MS,
    );
    const until = addPeriod(startOf(max, unit), unit, 1);
    if ((firsts || lasts) && column.distinct <= countPeriods(startOf(min, unit), until, unit))
      return [startOf(min, unit), new Date(until.getTime() - DAY_MS)];
  }
  return [min, max];
}

function countPeriods(from: Date, until: Date, grain: "month" | "quarter" | "year"): number {
  const months =
    (until.getUTCFullYear() - from.getUTCFullYear()) * 12 + until.getUTCMonth() - from.getUTCMonth();
  return months / (grain === "year" ? 12 : grain === "quarter" ? 3 : 1);
}

function labelOf(start: Date, grain: "month" | "quarter" | "year"): string {
  const year = String(start.getUTCFullYear());
  if (grain === "year") return year;
  return grain === "month" ? iso(start).slice(0, 7) : `Q${start.getUTCMonth() / 3 + 1} ${year}`;
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
