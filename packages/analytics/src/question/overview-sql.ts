import type { TableInfo } from "../types/schema.ts";
import { buildSelect } from "./build-select.ts";
import { chooseFact } from "./fact.ts";
import { byUnit, mixedUnits } from "./mixed-units.ts";
import { overviewPlans } from "./plan-statements.ts";
import { readIntent } from "./query-intent.ts";

/** Statements that show a table in general, over its own columns only. */
export function overviewSql(table: TableInfo): readonly string[] {
  const fact = chooseFact({ collection: "", tables: [table] }, readIntent([]), [], false);
  const scope = { filters: [], periods: [], recurring: [], missed: [] };
  if (fact === undefined) return [];
  const unit = mixedUnits(fact, scope);
  const plans = unit === undefined ? overviewPlans(fact, scope) : byUnit(fact, unit).plans;
  return plans.map((plan) => buildSelect(fact, plan, scope));
}
