import { EMPTY_RESPONSE, EVENT_VERSION, NO_USAGE, type AgentEventOf, type ErrorInfo } from "@troupe/stream";

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
  return { outcome, event: failedEnd(runId, error) };
}

/** How a run ends that was still planned when its process ended: of the plan nothing is left. */
export function lostPlan(runId: string): AgentEventOf<"finish"> {
  return failedEnd(runId, PLAN_LOST);
}

export const PLAN_LOST: ErrorInfo = {
  code: "workflow.plan-lost",
  message: "The orchestrator was stopped while it planned this run, so nothing of it was done. Ask again.",
};

function failedEnd(runId: string, error: ErrorInfo): AgentEventOf<"finish"> {
  return {
    v: EVENT_VERSION,
    runId,
    // Whoever counted before is gone with its count; nothing of this run comes after.
    seq: Number.MAX_SAFE_INTEGER,
    attempt: 1,
    agent: "orchestrator",
    type: "finish",
    outcome: "failed",
    response: EMPTY_RESPONSE,
    answerItems: [],
    error,
  };
}
