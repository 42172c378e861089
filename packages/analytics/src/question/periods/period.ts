import { MONTH_NAMES } from "@troupe/core";

/** A stretch of time, first day included, `until` not; ISO dates. Open ends are undefined. */
export interface Period {
  readonly from: string | undefined;
  readonly until: string | undefined;
  /** As a person says it, such as `Q3 2025`. */
  readonly label: string;
  readonly grain: "year" | "half" | "quarter" | "month" | "day" | "range";
  /** The two that `from 2023 to 2025` names. */
  readonly ends?: readonly [Period, Period];
  /** What `since 2023` names. */
  readonly since?: Period;
}

/** `in March` without a year: that part of every year. */
export interface Recurring {
  readonly part: "quarter" | "month";
  readonly number: number;
  readonly label: string;
}

/** A part of a year. */
export interface Part {
  readonly grain: "quarter" | "half" | "month";
  readonly number: number;
}

const MONTHS_OF = { month: 1, quarter: 3, half: 6 } as const;

/** A year, a part of it, or a day of a month. */
export function periodOf(year: number, part?: Part, day?: number): Period {
  if (part === undefined) return between(firstDay(year, 0), firstDay(year + 1, 0), String(year), "year");
  if (day !== undefined) {
    const from = iso(Date.UTC(year, part.number - 1, day));
    return between(from, iso(Date.UTC(year, part.number - 1, day + 1)), from, "day");
  }
  const months = MONTHS_OF[part.grain];
  const first = (part.number - 1) * months;
  const label = `${partLabel(part)} ${year}`;
  return between(firstDay(year, first), firstDay(year, first + months), label, part.grain);
}

/** The same part of the year before; undefined for what is no year or part of one. */
export function yearBefore({ from, grain }: Period): Period | undefined {
  if (from === undefined || grain === "range" || grain === "day") return undefined;
  const year = Number(from.slice(0, 4)) - 1;
  if (grain === "year") return periodOf(year);
  const number = Math.floor((Number(from.slice(5, 7)) - 1) / MONTHS_OF[grain]) + 1;
  return periodOf(year, { grain, number });
}

/** `Q3`, `March`. */
export function partLabel(part: Part): string {
  if (part.grain === "month") {
    const name = MONTH_NAMES[part.number - 1] ?? "";
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  }
  return `${part.grain === "half" ? "H" : "Q"}${part.number}`;
}

function between(from: string, until: string, label: string, grain: Period["grain"]): Period {
  return { from, until, label, grain };
}

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const firstDay = (year: number, month: number): string => iso(Date.UTC(year, month, 1));
