import type { RunInput, StepOutcome } from "../engine/run.ts";

/** What an earlier run left of a step, with the run that found it; undefined where the step is this run's to do. */
export function keptOutcome(
  { kept, retryOf }: RunInput,
  stepId: string,
): (StepOutcome & { readonly keptFrom: string }) | undefined {
  const result = kept !== undefined && Object.hasOwn(kept, stepId) ? kept[stepId] : undefined;
  return result && { ...result, stepId, keptFrom: result.keptFrom ?? retryOf ?? "unknown" };
}
