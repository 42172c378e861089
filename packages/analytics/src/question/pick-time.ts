import { isDateType, isNumberType } from "../names/column-role.ts";
import { quoteName, quoteText } from "../names/quote.ts";
import { wordsOf } from "../names/words.ts";
import type { ColumnInfo, TableInfo } from "../types/schema.ts";
import type { Recurring } from "./periods/period.ts";
import { readWritten } from "./periods/written-day.ts";
import type { Reachable } from "./schema-map.ts";
import type { Grain } from "./time-grain.ts";

/** When a row happened: a date, text such as `2025-Q1` or `2025-01`, or numbers of years and parts of them. */
export interface TimeColumn {
  readonly from: Reachable;
  readonly column: ColumnInfo;
  readonly form: "date" | "text" | "year";
  /** The finest grain the column has. */
  readonly finest: Grain | "half";
  /** The value over the alias of `from`. */
  readonly sql: (alias: string) => string;
  /** What stands between the year and its part in text. */
  readonly separator: string;
}

const ORDER: readonly TimeColumn["finest"][] = ["year", "half", "quarter", "month", "week", "day"];

/** The column that says when: a real date before text, text before a number. */
export function pickTime(from: Reachable, words: readonly string[] = []): TimeColumn | undefined {
  return dateTime(from, words) ?? textTime(from) ?? yearTime(from);
}

function dateTime(from: Reachable, said: readonly string[]): TimeColumn | undefined {
  const column = pickDate(from.table, said);
  if (column === undefined) return undefined;
  const sql = (alias: string): string => `${alias}.${quoteName(column.name)}`;
  return { from, column, form: "date", finest: "day", sql, separator: "-" };
}

function textTime(from: Reachable): TimeColumn | undefined {
  for (const column of from.table.columns) {
    if (column.role !== "date" || column.type !== "VARCHAR") continue;
    const written = readWritten(String(column.samples[0] ?? ""));
    if (written === undefined || written.grain === "year") continue;
    const sql = (alias: string): string => `${alias}.${quoteName(column.name)}`;
    return { from, column, form: "text", finest: written.grain, sql, separator: written.separator };
  }
  return undefined;
}

/** `year`, with `quarter` or `month` in a number beside it where there is one. */
function yearTime(from: Reachable): TimeColumn | undefined {
  const numbers = from.table.columns.filter(
    (column) => column.role === "date" && isNumberType(column.type) && column.min !== null,
  );
  const year = numbers.find(
    (column) => Number(column.min) >= 1900 && Number(column.max) <= 2100 && isYearName(column),
  );
  if (year === undefined) return undefined;
  const part = (word: string, max: number): ColumnInfo | undefined =>
    numbers.find(
      (column) => wordsOf(column.name).includes(word) && Number(column.min) >= 1 && Number(column.max) <= max,
    );
  const month = part("month", 12);
  const quarter = part("quarter", 4);
  const plain = (alias: string, column: ColumnInfo): string => `${alias}.${quoteName(column.name)}`;
  if (month !== undefined) {
    const sql = (alias: string): string =>
      `concat(${plain(alias, year)}, '-', lpad(CAST(${plain(alias, month)} AS VARCHAR), 2, '0'))`;
    return { from, column: year, form: "text", finest: "month", sql, separator: "-" };
  }
  if (quarter !== undefined) {
    const sql = (alias: string): string => `concat(${plain(alias, year)}, '-Q', ${plain(alias, quarter)})`;
    return { from, column: year, form: "text", finest: "quarter", sql, separator: "-Q" };
  }
  return {
    from,
    column: year,
    form: "year",
    finest: "year",
    sql: (alias) => plain(alias, year),
    separator: "",
  };
}

function isYearName(column: ColumnInfo): boolean {
  return wordsOf(column.name).some((word) => ["year", "jahr", "ar"].includes(word));
}

/** Whether rows can be told apart at this grain. */
export function canTell(time: TimeColumn, grain: TimeColumn["finest"]): boolean {
  if (time.form === "date") return true;
  if (grain === "week") return false;
  if (time.finest === "half") return grain === "year" || grain === "half";
  return ORDER.indexOf(grain) <= ORDER.indexOf(time.finest);
}

/** The grain that was asked for, or the finest the data has. */
export function atMost(time: TimeColumn, grain: TimeColumn["finest"]): TimeColumn["finest"] {
  return canTell(time, grain) ? grain : time.finest;
}

/** The period a row falls in, as the data writes it where the grain is its own. */
export function bucketSql(time: TimeColumn, alias: string, grain: TimeColumn["finest"]): string {
  const value = time.sql(alias);
  if (time.form === "date") return `CAST(date_trunc('${grain}', ${value}) AS DATE)`;
  if (time.form === "year" || grain === time.finest) return value;
  if (grain === "year") return `CAST(substr(${value}, 1, 4) AS INTEGER)`;
  if (grain === "quarter") return `concat(substr(${value}, 1, 4), '-Q', ${quarterSql(time, value)})`;
  return `substr(${value}, 1, ${4 + time.separator.length + 2})`;
}

/** The number of a quarter or month within its year; undefined when the column does not tell. */
export function partSql(time: TimeColumn, alias: string, part: Recurring["part"]): string | undefined {
  const value = time.sql(alias);
  if (time.form === "date") return `${part}(${value})`;
  if (!canTell(time, part) || time.form === "year") return undefined;
  if (part === "quarter")
    return time.finest === "quarter" ? `CAST(right(${value}, 1) AS INTEGER)` : quarterSql(time, value);
  return monthSql(time, value);
}

export function yearSql(time: TimeColumn, alias: string): string {
  const value = time.sql(alias);
  if (time.form === "date") return `year(${value})`;
  return time.form === "year" ? value : `CAST(substr(${value}, 1, 4) AS INTEGER)`;
}

/** A period by its name, such as `March 2025`: it orders by nothing. A day or week of a real date only. */
export function periodNameSql(time: TimeColumn, alias: string, grain: Grain): string {
  if (grain === "day") return `strftime(${time.sql(alias)}, '%-d %B %Y')`;
  if (grain === "week") return `strftime(${time.sql(alias)}, '%G-W%V')`;
  const year = yearSql(time, alias);
  const part = grain === "month" || grain === "quarter" ? partSql(time, alias, grain) : undefined;
  if (grain === "year" || part === undefined) return `CAST(${year} AS VARCHAR)`;
  if (grain === "quarter") return `concat('Q', ${part}, ' ', ${year})`;
  return `strftime(make_date(CAST(${year} AS BIGINT), ${part}, 1), '%B %Y')`;
}

function monthSql(time: TimeColumn, value: string): string {
  return `CAST(substr(${value}, ${5 + time.separator.length}, 2) AS INTEGER)`;
}

function quarterSql(time: TimeColumn, value: string): string {
  return `CAST((${monthSql(time, value)} + 2) // 3 AS INTEGER)`;
}

/**
 * Conditions for `from` to `until`, ISO dates, the second not included. Undefined when the column is too
 * coarse to tell.
 */
export function rangeSql(
  time: TimeColumn,
  alias: string,
  range: { readonly from: string | undefined; readonly until: string | undefined },
): string | undefined {
  const value = time.sql(alias);
  const bound = (sign: string, day: string | undefined): readonly (string | undefined)[] => {
    if (day === undefined) return [];
    const literal = boundSql(time, day);
    return [literal === undefined ? undefined : `${value} ${sign} ${literal}`];
  };
  const bounds = [...bound(">=", range.from), ...bound("<", range.until)];
  if (bounds.includes(undefined)) return undefined;
  return bounds.join(" AND ");
}

/** The first value at or after a day, as the column writes it. */
function boundSql(time: TimeColumn, day: string): string | undefined {
  if (time.form === "date") return `DATE ${quoteText(day)}`;
  const [year = "", month = "", date = ""] = day.split("-");
  if (time.form === "year") return month === "01" && date === "01" ? String(Number(year)) : undefined;
  if (time.finest === "day") return quoteText([year, month, date].join(time.separator));
  if (date !== "01") return undefined;
  const separator = time.separator;
  if (time.finest === "month") return quoteText(`${year}${separator}${month}`);
  const months = time.finest === "half" ? 6 : 3;
  if ((Number(month) - 1) % months !== 0) return undefined;
  return quoteText(`${year}${separator}${(Number(month) - 1) / months + 1}`);
}

const EVENT = /ed$|^(sold|paid|bought|sent|built|begun|shipped)$/;

/** `closed` of `tickets closed in 2024`, where a column says when. */
export function eventWords(column: ColumnInfo, said: readonly string[]): readonly string[] {
  return wordsOf(column.name).filter((word) => EVENT.test(word) && said.includes(word));
}

/** The date column of the event that is named, else one named like an event before any other. */
function pickDate(table: TableInfo, said: readonly string[]): ColumnInfo | undefined {
  const dates = table.columns.filter((column) => column.role === "date" && isDateType(column.type));
  const score = (column: ColumnInfo): number => {
    const words = wordsOf(column.name);
    const event = ["order", "invoice", "sale", "sold", "transaction", "purchase"].some((word) =>
      words.includes(word),
    );
    const late = ["update", "updated", "modified", "due", "birth", "end", "delivered"].some((word) =>
      words.includes(word),
    );
    return (
      (eventWords(column, said).length > 0 ? 8 : 0) +
      (event ? 2 : 0) -
      (late ? 2 : 0) -
      column.nulls / Math.max(1, table.rows)
    );
  };
  return dates.toSorted((a, b) => score(b) - score(a))[0];
}
