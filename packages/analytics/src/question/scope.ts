import type { Fact } from "./fact.ts";
import { filterSql, filterText, type ValueFilter } from "./filters.ts";
import { humanLabel, lowerFirst } from "../names/labels.ts";
import { saidLabel } from "../names/one-line.ts";
import type { Alias } from "./column-measure.ts";
import { partSql, rangeSql, type TimeColumn } from "./pick-time.ts";
import type { Period, Recurring } from "./periods/period.ts";
import { isFlag, saysYesOrNo } from "./read-flags.ts";
import type { PeriodReading } from "./periods/read-periods.ts";

/** Which rows a question is about. */
export interface Scope {
  readonly filters: readonly ValueFilter[];
  readonly periods: readonly Period[];
  readonly recurring: readonly Recurring[];
  /** What was asked and could not be done, in words. */
  readonly missed: readonly string[];
}

/** The periods a time column can tell; the others are named. */
export function scopeOf(fact: Fact, asked: PeriodReading): Scope {
  const { time, filters } = fact;
  const missed: string[] = [];
  const why = time === undefined ? "the data has no dates" : `${time.column.name} does not tell it`;
  const miss = (label: string): false => {
    missed.push(`filter "${label}": ${why}.`);
    return false;
  };
  const periods = asked.periods.filter(
    (period) => (time !== undefined && rangeSql(time, "t", period) !== undefined) || miss(period.label),
  );
  const recurring = asked.recurring.filter(
    (one) => (time !== undefined && partSql(time, "t", one.part) !== undefined) || miss(one.label),
  );
  return { filters, periods, recurring, missed };
}

/** Conditions that hold together. */
export function scopeSql(scope: Scope, time: TimeColumn | undefined, alias: Alias): readonly string[] {
  const conditions = scope.filters.map((filter) => filterSql(filter, alias(filter.from)));
  if (time === undefined) return conditions;
  const at = alias(time.from);
  const ranges = mergeTouching(scope.periods).flatMap((period) => rangeSql(time, at, period) ?? []);
  const parts = scope.recurring.flatMap(({ part, number }) => {
    const sql = partSql(time, at, part);
    return sql === undefined ? [] : [`${sql} = ${number}`];
  });
  return [...conditions, ...anyOf(ranges), ...anyOf(parts)];
}

function anyOf(conditions: readonly string[]): readonly string[] {
  if (conditions.length < 2) return conditions;
  return [`(${conditions.map((condition) => `(${condition})`).join(" OR ")})`];
}

/** 2023 and 2024 are one stretch. */
function mergeTouching(periods: readonly Period[]): readonly Pick<Period, "from" | "until">[] {
  const sorted = periods.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1));
  const merged: { from: string | undefined; until: string | undefined }[] = [];
  for (const { from, until } of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && last.until !== undefined && from !== undefined && from <= last.until) {
      if (until === undefined || until > last.until) last.until = until;
    } else merged.push({ from, until });
  }
  return merged;
}

const MAX_SAID = 3;

/** ` (DACH, Foresight)` for a title. */
export function filterTitle(filters: readonly ValueFilter[]): string {
  if (filters.length === 0) return "";
  const parts = filters.map(({ from, values, negated, column }) => {
    const said = values.slice(0, MAX_SAID).map((value) => saidLabel(value));
    const [only] = values;
    const own = from.table.columns.find(({ name }) => name === column);
    const flag = only === undefined || values.length > 1 || !isFlag(own) ? undefined : saysYesOrNo(only);
    // `active` and `not active` say what `true` and `false` do not.
    if (flag !== undefined) return `${flag === negated ? "not " : ""}${lowerFirst(humanLabel(column))}`;
    const text = values.length > MAX_SAID ? `${values.length} of ${column}` : said.join(", ");
    return negated ? `not ${text}` : text;
  });
  return ` (${parts.join(", ")})`;
}

/** ` in 2024`, ` since March 2025`; empty when no time was named. */
export function periodTitle({ periods, recurring }: Pick<Scope, "periods" | "recurring">): string {
  const labels = periods.map((period) => period.label);
  const open = /^(since|after|before|until) /.test(labels[0] ?? "");
  const text = labels.length === 0 ? "" : `${open ? " " : " in "}${labels.join(" and ")}`;
  const parts = recurring.map((one) => one.label);
  return parts.length === 0 ? text : `${text} in every ${parts.join(" and ")}`;
}

/** What was filtered, for the line that names the source. */
export function scopeText(scope: Scope, time: TimeColumn | undefined): string {
  const when = periodTitle(scope).trim();
  return [
    ...scope.filters.map(filterText),
    ...(when === "" || time === undefined ? [] : [`${time.column.name} ${when}`]),
  ].join(", ");
}
