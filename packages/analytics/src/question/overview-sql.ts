import type { TableInfo } from "../types/schema.ts";
import { buildSelect } from "./build-select.ts";
import { chooseFact } from "./fact.ts";
import { overviewPlans } from "./question-to-sql.ts";

/** Statements that show a table in general, over its own columns only. */
export function overviewSql(table: TableInfo): readonly string[] {
  const fact = chooseFact({ collection: "", tables: [table] }, [], []);
  return fact === undefined ? [] : overviewPlans(fact).map((plan) => buildSelect(fact, plan));
}
