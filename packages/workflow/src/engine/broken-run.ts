import { EMPTY_RESPONSE, EVENT_VERSION, NO_USAGE, type AgentEvent } from "@troupe/stream";

import type { RunOutcome } from "./run.ts";

/** How a run ends whose driver threw: failed, said without internals, so that nobody waits for ever. */
export function brokenRun(runId: string): { readonly outcome: RunOutcome; readonly event: AgentEvent } {
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
  const event: AgentEvent = {
    v: EVENT_VERSION,
    runId,
    // The driver's own count is lost with it; nothing of this run comes after.
    seq: Number.MAX_SAFE_INTEGER,
    attempt: 1,
    agent: "orchestrator",
    type: "finish",
    outcome: "failed",
    response: EMPTY_RESPONSE,
    answerItems: [],
    error,
  };
  return { outcome, event };
}
