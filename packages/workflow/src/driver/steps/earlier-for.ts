import type { Delegation } from "@troupe/core";

import type { RunInput } from "../../engine/run.ts";
import type { DagStep } from "../../schema/spec.ts";

/** What a step is handed of earlier runs: the results it names and no others, and what was asked then. */
export function earlierFor({ earlier = [] }: DagStep, input: RunInput): Pick<Delegation, "earlier"> {
  const kept = input.earlier;
  if (kept === undefined || earlier.length === 0) return {};
  const results = earlier.flatMap((name) => {
    const result = Object.hasOwn(kept.results, name) ? kept.results[name] : undefined;
    return result === undefined ? [] : [[name, result] as const];
  });
  return { earlier: { ...kept, results: Object.fromEntries(results) } };
}
