import { EMPTY_RESPONSE } from "@troupe/stream";

import type { RunOutcome } from "../../engine/run.ts";

/** An outcome is one row, and one string before that; far more than the results of a run may have together. */
export const MAX_OUTCOME_CHARS = 256 * 1024 * 1024;

/**
 * The outcome, or where it is larger than can be kept the same run as failed, without what its steps found.
 * That comes of runs alone whose results an earlier version took without counting them.
 */
export function fitOutcome(outcome: RunOutcome, most: number): RunOutcome {
  if (fits(outcome, most)) return outcome;
  const steps = outcome.steps.map((step) => ({
    ...step,
    answer: "",
    data: null,
    citations: [],
    artifacts: [],
  }));
  const { answerFrom: _, ...rest } = outcome;
  return {
    ...rest,
    outcome: outcome.outcome === "canceled" ? "canceled" : "failed",
    response: EMPTY_RESPONSE,
    steps,
    citations: [],
    artifacts: [],
    error: {
      code: "workflow.too-large",
      message:
        "The results of this run are too large together to be kept as one outcome. Its events have what the agents told. Run it again with agents that hand large data over as files, or as several workflows.",
    },
  };
}

function fits(outcome: RunOutcome, most: number): boolean {
  try {
    return JSON.stringify(outcome).length <= most;
  } catch (error) {
    // More than one string can have.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
