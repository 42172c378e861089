import type { Delegation, StepResult } from "../ports/delegation.ts";

/** Every result a step is handed, by the name it has there: of earlier runs first, then of this one. */
export function allResults({ results, earlier }: Pick<Delegation, "results" | "earlier">): {
  readonly [name: string]: StepResult;
} {
  return earlier === undefined ? results : { ...earlier.results, ...results };
}
