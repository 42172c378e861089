import type { Plan } from "@troupe/stream";

import { short } from "./figures.ts";
import { oneLine } from "./harmless.ts";

/** Characters of an instruction that are shown. */
const LONGEST = 90;

/**
 * A plan, a line for each step: what runs, on whom, after what. Where steps were added, one line says which and why. An
 * instruction that is cut ends with `…`.
 */
export function planText(plan: Plan): string {
  const steps = plan.steps.map(({ id, agent, instruction, dependsOn }) => ({
    id: oneLine(id),
    who: oneLine(agent) || "person",
    what: short(instruction, LONGEST),
    after: dependsOn.length === 0 ? "" : `  (after ${oneLine(dependsOn.join(", "))})`,
  }));
  const ids = Math.max(...steps.map(({ id }) => id.length), 0);
  const agents = Math.max(...steps.map(({ who }) => who.length), 0);
  const lines = steps.map(
    ({ id, who, what, after }, index) =>
      `  ${index + 1}. ${id.padEnd(ids)}  ${who.padEnd(agents)}  ${what}${after}`,
  );
  return [`Plan: ${oneLine(plan.name)}`, ...lines, ...revisionLines(plan)].join("\n");
}

function revisionLines({ revisions = [] }: Plan): readonly string[] {
  return revisions.map(({ reason, steps, refused }) =>
    refused === undefined
      ? `  Added ${oneLine(steps.join(", "))}: ${oneLine(reason)}`
      : `  Nothing added, ${oneLine(refused)}. Asked for: ${oneLine(reason)}`,
  );
}
