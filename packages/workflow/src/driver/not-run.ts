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
