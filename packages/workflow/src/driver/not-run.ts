import { NO_USAGE } from "@troupe/stream";

import type { StepOutcome } from "../engine/run.ts";
import type { DagStep } from "../schema/spec.ts";

/** What a step ended with that never began. */
export function notRun(
  step: DagStep,
  reason: string,
  outcome: "skipped" | "canceled",
  at: number,
): Omit<StepOutcome, "state" | "ms"> {
  return {
    stepId: step.id,
    agent: step.agent,
    outcome,
    answer: "",
    data: null,
    citations: [],
    artifacts: [],
    usage: NO_USAGE,
    reason,
    provenance: { attempt: 1, startedAt: at, endedAt: at },
  };
}

/** Why a step is canceled where the run was not, and its agent gave no error. */
export function endedElsewhere(
  { agent }: DagStep,
  { outcome }: Pick<StepOutcome, "outcome">,
): string | undefined {
  return outcome === "canceled" ? `agent "${agent}" ended its task as canceled` : undefined;
}
