import { quoteName } from "../names/quote.ts";
import { tableSql } from "./combine-tables.ts";
import type { Fact } from "./fact.ts";
import type { ChosenDimension } from "./pick-dimension.ts";
import type { Alias } from "./column-measure.ts";
import { bucketSql, partSql, periodNameSql, rangeSql, yearSql, type TimeColumn } from "./pick-time.ts";
import type { Period } from "./periods/period.ts";
import type { Link } from "./schema-map.ts";
import { scopeSql, type Scope } from "./scope.ts";
import type { WholeRange } from "./time-grain.ts";

/** What one statement groups and orders by. */
export interface SelectPlan {
  readonly grain?: TimeColumn["finest"];
  readonly dimension?: ChosenDimension;
  readonly range?: WholeRange;
  readonly limit?: number;
  /** The smallest first. */
  readonly ascending?: boolean;
  /** With the change against the period before, in percent. */
  readonly growth?: boolean;
  /** Each row's part of the whole, in percent. */
  readonly share?: boolean;
  /** The part that the filtered rows are of all. */
  readonly part?: boolean;
  /** The years side by side. */
  readonly years?: boolean;
  /** The periods by size, not in order. */
  readonly ranked?: boolean;
  /** A stretch of time of its own, where the question names none. */
  readonly period?: Period;
  /** The change between two periods, of each value of the dimension where there is one. */
  readonly change?: readonly [Period, Period];
}

/** The statements for one question. */
export interface StatementPlans {
  /** The most direct first. */
  readonly plans: readonly SelectPlan[];
  /** What was asked and no plan does, each in a sentence. */
  readonly missed: readonly string[];
}

/** The rows a plan reads. */
export function scopeOfPlan(plan: SelectPlan, scope: Scope): Scope {
  if (plan.period !== undefined) return { ...scope, periods: [plan.period] };
  return plan.change === undefined ? scope : { ...scope, periods: plan.change };
}

/** One SELECT over the fact table `f`. Dimension tables come by LEFT JOIN, so no row is lost. */
export function buildSelect(fact: Fact, plan: SelectPlan, scope: Scope): string {
  const joins = new Map<string, string>();
  const alias: Alias = (from) => join(from.path, joins);
  if (plan.change !== undefined) return changeSelect(fact, plan, plan.change, scope, alias, joins);
  if (plan.part === true) return partSelect(fact, scope, alias, joins);
  const { columns, order } = groupsOf(fact, plan, alias);
  const measure = quoteName(fact.measure.name);
  const select = [...columns, `${fact.measure.sql(alias)} AS ${measure}`];
  const where = [...scopeSql(scopeOfPlan(plan, scope), fact.time, alias), ...rangeOf(fact, plan, alias)];
  const groups = columns.map((_, i) => i + 1).join(", ");
  const inner = [
    `SELECT ${select.join(", ")}`,
    ...fromLines(fact, joins, where),
    ...(columns.length === 0 ? [] : [`GROUP BY ${groups}`]),
  ].join("\n");
  if (plan.growth === true && plan.grain !== undefined)
    return withGrowth(inner, nameOf(plan.grain), fact.measure.name);
  const lines =
    plan.share === true && columns.length > 0
      ? [withShare(inner, fact.measure.name, columns.length)]
      : [inner];
  const bySize = `ORDER BY ${quoteName(fact.measure.name)} ${plan.ascending === true ? "ASC" : "DESC"} NULLS LAST, 1`;
  if (order !== undefined) lines.push(`ORDER BY ${order}`);
  else if (columns.length > 0) lines.push(bySize);
  if (plan.limit !== undefined) lines.push(`LIMIT ${plan.limit}`);
  return lines.join("\n");
}

/** How many rows the scope keeps, how many there are, and the first and last time. */
export function countSelect(fact: Fact, scope: Scope): string {
  const joins = new Map<string, string>();
  const alias: Alias = (from) => join(from.path, joins);
  const where = scopeSql(scope, fact.time, alias);
  const time = fact.time?.sql(alias(fact.time.from)) ?? "NULL";
  const kept = where.length === 0 ? "count(*)" : `count(*) FILTER (WHERE ${where.join(" AND ")})`;
  const select = `SELECT ${kept} AS kept, count(*) AS "all", CAST(min(${time}) AS VARCHAR) AS "first", CAST(max(${time}) AS VARCHAR) AS "last"`;
  return [select, ...fromLines(fact, joins, [])].join("\n");
}

interface Groups {
  readonly columns: readonly string[];
  /** Undefined: by size. */
  readonly order: string | undefined;
}

function groupsOf(fact: Fact, plan: SelectPlan, alias: Alias): Groups {
  const { time } = fact;
  const dimension = plan.dimension;
  const split =
    dimension === undefined
      ? []
      : [`${dimension.sql(alias(dimension.from))} AS ${quoteName(dimension.name)}`];
  if (time === undefined) return { columns: split, order: undefined };
  const at = alias(time.from);
  if (plan.years === true) {
    const year = `${yearSql(time, at)} AS "year"`;
    const part = plan.grain === "month" || plan.grain === "quarter" ? plan.grain : undefined;
    const number = part === undefined ? undefined : partSql(time, at, part);
    if (part === undefined || number === undefined) return { columns: [...split, year], order: "1, 2" };
    const label =
      part === "quarter" ? `concat('Q', ${number})` : `strftime(make_date(2000, ${number}, 1), '%b')`;
    return { columns: [`${label} AS ${quoteName(part)}`, year], order: `min(${number}), 2` };
  }
  if (plan.ranked === true && plan.grain !== undefined && plan.grain !== "half")
    return {
      columns: [`${periodNameSql(time, at, plan.grain)} AS ${quoteName(plan.grain)}`],
      order: undefined,
    };
  if (plan.grain === undefined) return { columns: split, order: undefined };
  const columns = [`${bucketSql(time, at, plan.grain)} AS ${quoteName(nameOf(plan.grain))}`, ...split];
  return { columns, order: columns.map((_, i) => i + 1).join(", ") };
}

const nameOf = (grain: TimeColumn["finest"]): string => (grain === "half" ? "half_year" : grain);

function fromLines(
  fact: Fact,
  joins: ReadonlyMap<string, string>,
  where: readonly string[],
): readonly string[] {
  return [
    `FROM ${tableSql(fact.table)} AS f`,
    ...joins.values(),
    ...(where.length === 0 ? [] : [`WHERE ${where.join(" AND ")}`]),
  ];
}

function rangeOf(fact: Fact, plan: SelectPlan, alias: Alias): readonly string[] {
  if (fact.time === undefined || plan.range === undefined) return [];
  const sql = rangeSql(fact.time, alias(fact.time.from), plan.range);
  return sql === undefined ? [] : [sql];
}

/** Adds the joins of a path once; the alias of its end. */
function join(path: readonly Link[], joins: Map<string, string>): string {
  let here = "f";
  for (const link of path) {
    const target = quoteName(link.to.name);
    if (!joins.has(target)) {
      const on = `${here}.${quoteName(link.column.name)} = ${target}.${quoteName(link.key.name)}`;
      const from = tableSql(link.to);
      joins.set(target, `LEFT JOIN ${from === target ? target : `${from} AS ${target}`} ON ${on}`);
    }
    here = target;
  }
  return here;
}

/** In percent; of a base that is not above zero, or down to a loss, it says nothing. */
const growthSql = (before: string, value: string): string =>
  `CASE WHEN ${before} > 0 AND ${value} >= 0 THEN round(100.0 * (${value} - ${before}) / ${before}, 1) END`;

function withGrowth(inner: string, grain: string, measure: string): string {
  const period = quoteName(grain);
  const value = quoteName(measure);
  const before = `lag(${value}) OVER (ORDER BY ${period})`;
  return [
    `SELECT ${period}, ${value}, ${growthSql(before, value)} AS growth_percent`,
    `FROM (\n${inner}\n) AS periods`,
    `ORDER BY 1`,
  ].join("\n");
}

/** The part stands before the measure: it is what was asked. */
function withShare(inner: string, measure: string, groups: number): string {
  const value = quoteName(measure);
  const exclude = groups === 0 ? "" : ` EXCLUDE (${value})`;
  return [
    `SELECT *${exclude}, round(100.0 * ${value} / nullif(sum(${value}) OVER (), 0), 1) AS share_percent, ${value}`,
    `FROM (\n${inner}\n) AS parts`,
  ].join("\n");
}

function partSelect(fact: Fact, scope: Scope, alias: Alias, joins: Map<string, string>): string {
  const kept = scopeSql({ ...scope, periods: [], recurring: [] }, fact.time, alias).join(" AND ");
  const where = scopeSql({ ...scope, filters: [] }, fact.time, alias);
  const all = fact.measure.sql(alias);
  const part = `${all} FILTER (WHERE ${kept})`;
  return [
    `SELECT round(100.0 * ${part} / nullif(${all}, 0), 1) AS share_percent, ${part} AS ${quoteName(fact.measure.name)}, ${all} AS ${quoteName(`total_${fact.measure.name}`)}`,
    ...fromLines(fact, joins, where),
  ].join("\n");
}

function changeSelect(
  fact: Fact,
  plan: SelectPlan,
  [first, last]: readonly [Period, Period],
  scope: Scope,
  alias: Alias,
  joins: Map<string, string>,
): string {
  const { time, measure } = fact;
  const { dimension } = plan;
  if (time === undefined) return "";
  const at = alias(time.from);
  const named = (period: Period): string => quoteName(`${measure.name}_${period.label.replaceAll(" ", "_")}`);
  const inPeriod = (period: Period): string =>
    `${measure.sql(alias)} FILTER (WHERE ${rangeSql(time, at, period) ?? "false"}) AS ${named(period)}`;
  const name = dimension === undefined ? [] : [quoteName(dimension.name)];
  const group =
    dimension === undefined ? [] : [`${dimension.sql(alias(dimension.from))} AS ${name.join("")}`];
  const values = [inPeriod(first), inPeriod(last)];
  const where = scopeSql(scopeOfPlan(plan, scope), time, alias);
  const [a, b] = [named(first), named(last)];
  const percent = `${growthSql(a, b)} AS growth_percent`;
  return [
    `SELECT ${[...name, percent, a, b].join(", ")}`,
    `FROM (\nSELECT ${[...group, ...values].join(", ")}`,
    ...fromLines(fact, joins, where),
    `${dimension === undefined ? "" : "GROUP BY 1\n"}) AS changes`,
    `ORDER BY growth_percent ${plan.ascending === true ? "ASC" : "DESC"} NULLS LAST, 1`,
    ...(plan.limit === undefined ? [] : [`LIMIT ${plan.limit}`]),
  ].join("\n");
}
