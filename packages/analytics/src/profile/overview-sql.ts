import { isAdditive } from "../names/labels.ts";
import { quoteName } from "../names/quote.ts";
import type { ColumnInfo, TableInfo } from "../types/schema.ts";

const MAX_BARS = 30;
const MAX_QUARTERS = 5;
const MONEY = /(?:^|_)(?:eur|usd|gbp|sek|nok|dkk|chf|revenue|sales|amount|cost|costs)(?:_|$)/i;
/** Further measures that do not add up over rows, in addition to those of `isAdditive`. */
const NOT_SUMMED = /(?:^|_)(?:rating|index)(?:_|$)/i;
/** Sums over rows in different units mean nothing. */
const UNITS = /(?:^|_)(?:currency|unit|units)$/i;

/** Statements for an overview of a table: its main measure over time and by its smallest category. */
export function overviewSql({ name, columns, doubtfulTotal }: TableInfo): readonly string[] {
  if (doubtfulTotal === true || columns.some((column) => UNITS.test(column.name) && column.distinct > 1))
    return [];
  const measures = columns.filter(
    (column) => column.role === "measure" && isAdditive(column.name) && !NOT_SUMMED.test(column.name),
  );
  const measure = measures.find((column) => MONEY.test(column.name)) ?? measures[0];
  const value =
    measure === undefined
      ? "count(*) AS rows"
      : `sum(${quoteName(measure.name)}) AS ${quoteName(measure.name)}`;
  const from = `FROM ${quoteName(name)}`;
  const date = columns.find(({ role, type }) => role === "date" && /^(?:DATE|TIMESTAMP)/.test(type));
  const category = columns
    .filter(({ role, distinct }) => role === "category" && distinct > 1 && distinct <= MAX_BARS)
    .toSorted((a, b) => a.distinct - b.distinct)[0];
  return [
    ...(date === undefined ? [] : [overTime(date, value, from)]),
    ...(category === undefined
      ? []
      : [`SELECT ${quoteName(category.name)}, ${value} ${from} GROUP BY 1 ORDER BY 2 DESC, 1`]),
  ];
}

function overTime({ name, min, max }: ColumnInfo, value: string, from: string): string {
  const years = Number(String(max).slice(0, 4)) - Number(String(min).slice(0, 4));
  const period = years < MAX_QUARTERS ? "quarter" : "year";
  const column = quoteName(name);
  return `SELECT CAST(date_trunc('${period}', ${column}) AS DATE) AS ${period}, ${value} ${from} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 1`;
}
