import { snakeName } from "../names/snake-name.ts";
import type { SelectPlan } from "./build-select.ts";
import type { Fact } from "./fact.ts";
import { isSharedName } from "./pick-dimension.ts";

/** What a reader has to know of the figures, such as what stands for an order. */
export function notesOf(fact: Fact, plans: readonly SelectPlan[]): readonly string[] {
  return [
    ...fact.ambiguous,
    ...sharedNames(fact),
    ...(fact.measure.note === undefined ? [] : [fact.measure.note]),
    ...largestOnly(plans, fact),
    ...belowZero(plans, fact),
  ];
}

/** Where a list is cut that was not asked for. */
function largestOnly(plans: readonly SelectPlan[], { intent }: Fact): readonly string[] {
  return plans.flatMap(({ dimension, limit, ascending, grain }) =>
    limit === undefined ||
    limit === intent.top ||
    dimension === undefined ||
    grain !== undefined ||
    intent.by.length === 0
      ? []
      : [`Only the ${limit} ${ascending === true ? "smallest" : "largest"} are listed.`],
  );
}

/** Growth of a loss says nothing. */
function belowZero(plans: readonly SelectPlan[], { table, measure }: Fact): readonly string[] {
  const column = table.columns.find(({ name }) => snakeName(name) === measure.name);
  const told = plans.some(({ change, growth }) => change !== undefined || growth === true);
  return told && Number(column?.min) < 0 ? ["Growth is told only where the first figure is above zero."] : [];
}

/** Names that were filtered by and do not tell rows apart. */
function sharedNames({ filters }: Fact): readonly string[] {
  return filters
    .filter(({ from, column }) => isSharedName(from.table, column))
    .map(
      ({ from, column }) => `${column} does not tell ${from.table.name} apart: a name may stand for several.`,
    );
}
