import { quoteName, quoteText } from "../names/quote.ts";
import type { Fact } from "./fact.ts";
import type { ChosenDimension } from "./pick-dimension.ts";
import type { Link, Reachable } from "./schema-map.ts";
import type { Grain, WholeRange } from "./time-grain.ts";

/** What one statement groups, filters and orders by. */
export interface SelectPlan {
  readonly grain?: Grain;
  readonly dimension?: ChosenDimension;
  readonly range?: WholeRange;
  /** Years to keep, both included. */
  readonly years?: readonly [number, number];
  readonly limit?: number;
  /** With the change against the period before, in percent. */
  readonly growth?: boolean;
}

/** One SELECT over the fact table `f`. Dimension tables come by LEFT JOIN, so no row is lost. */
export function buildSelect(fact: Fact, plan: SelectPlan): string {
  const joins = new Map<string, string>();
  const alias = (from: Reachable): string => join(from.path, joins);
  const columns: string[] = [];
  if (plan.grain !== undefined && fact.date !== undefined) {
    const date = `${alias(fact.date.from)}.${quoteName(fact.date.column.name)}`;
    columns.push(`CAST(date_trunc('${plan.grain}', ${date}) AS DATE) AS ${quoteName(plan.grain)}`);
  }
  if (plan.dimension !== undefined) {
    const { sql, from, name } = plan.dimension;
    columns.push(`${sql(alias(from))} AS ${quoteName(name)}`);
  }
  const measure = quoteName(fact.measure.name);
  const select = [...columns, `${fact.measure.sql} AS ${measure}`];
  const where = conditions(fact, plan, alias);
  const lines = [
    `SELECT ${select.join(", ")}`,
    `FROM ${quoteName(fact.table.name)} AS f`,
    ...joins.values(),
    ...(where.length === 0 ? [] : [`WHERE ${where.join(" AND ")}`]),
    ...(columns.length === 0 ? [] : [`GROUP BY ${columns.map((_, i) => i + 1).join(", ")}`]),
  ];
  if (plan.growth === true && plan.grain !== undefined)
    return withGrowth(lines.join("\n"), plan.grain, fact.measure.name);
  if (plan.grain !== undefined) lines.push(`ORDER BY ${columns.map((_, i) => i + 1).join(", ")}`);
  else if (columns.length > 0) lines.push(`ORDER BY ${columns.length + 1} DESC NULLS LAST, 1`);
  if (plan.limit !== undefined) lines.push(`LIMIT ${plan.limit}`);
  return lines.join("\n");
}

function conditions(fact: Fact, plan: SelectPlan, alias: (from: Reachable) => string): readonly string[] {
  if (fact.date === undefined || (plan.years === undefined && plan.range === undefined)) return [];
  const date = `${alias(fact.date.from)}.${quoteName(fact.date.column.name)}`;
  if (plan.years !== undefined) {
    const [first, last] = plan.years;
    return [`${date} >= DATE '${first}-01-01'`, `${date} < DATE '${last + 1}-01-01'`];
  }
  if (plan.range === undefined) return [];
  return [`${date} >= DATE ${quoteText(plan.range.from)}`, `${date} < DATE ${quoteText(plan.range.until)}`];
}

/** Adds the joins of a path once; the alias of its end. */
function join(path: readonly Link[], joins: Map<string, string>): string {
  let here = "f";
  for (const link of path) {
    const target = quoteName(link.to.name);
    if (!joins.has(target)) {
      const on = `${here}.${quoteName(link.column.name)} = ${target}.${quoteName(link.key.name)}`;
      joins.set(target, `LEFT JOIN ${target} ON ${on}`);
    }
    here = target;
  }
  return here;
}

function withGrowth(inner: string, grain: Grain, measure: string): string {
  const period = quoteName(grain);
  const value = quoteName(measure);
  const before = `lag(${value}) OVER (ORDER BY ${period})`;
  return [
    `SELECT ${period}, ${value}, round(100.0 * (${value} - ${before}) / nullif(${before}, 0), 1) AS growth_percent`,
    `FROM (\n${inner}\n) AS periods`,
    `ORDER BY 1`,
  ].join("\n");
}
