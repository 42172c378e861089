import { EMPTY_RESPONSE, NO_USAGE, type AgentEventOf, type ErrorInfo } from "@troupe/stream";

import { endEvent } from "./run-end.ts";
import type { RunOutcome } from "./run.ts";

/** How a run ends whose driver threw: failed, said without internals, so that nobody waits for ever. */
export function brokenRun(runId: string): {
  readonly outcome: RunOutcome;
  readonly event: AgentEventOf<"finish">;
} {
  const error = {
    code: "workflow.internal",
    message: "The run broke inside the orchestrator; its log has the details.",
  };
  const outcome: RunOutcome = {
    v: 1,
    runId,
    outcome: "failed",
    response: EMPTY_RESPONSE,
    steps: [],
    citations: [],
    artifacts: [],
    usage: NO_USAGE,
    error,
  };
  return { outcome, event: endEvent(outcome) };
}

/** How a run ends that was still planned when its process ended: of the plan nothing is left. */
export function lostPlan(runId: string): AgentEventOf<"finish"> {
  return endEvent({ runId, outcome: "failed", response: EMPTY_RESPONSE, error: PLAN_LOST });
}

export const PLAN_LOST: ErrorInfo = {
  code: "workflow.plan-lost",
  message: "The orchestrator was stopped while it planned this run, so nothing of it was done. Ask again.",
};
