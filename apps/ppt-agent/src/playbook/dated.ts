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

const DAY = new RegExp(`^(?:\\d{1,2}\\.?\\s)?(${MONTH_NAMES.join("|")})\\s(\\d{4})$`, "i");

/** `March to September 2026`: from the first of some dates to the last; undefined where one is no date. */
export function spanOf(dates: readonly string[]): string | undefined {
  const months = dates.map((date) => DAY.exec(date.slice(0, 40)));
  const first = months[0];
  const last = months.at(-1);
  if (first == null || last == null || months.includes(null)) return undefined;
  const [, from = "", fromYear = ""] = first;
  const [, to = "", toYear = ""] = last;
  if (fromYear !== toYear) return `${from} ${fromYear} to ${to} ${toYear}`;
  return from === to ? `${from} ${fromYear}` : `${from} to ${to} ${toYear}`;
}
