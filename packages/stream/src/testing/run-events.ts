import { EVENT_VERSION, type AgentEvent, type AgentEventBody } from "../event.ts";
import { EMPTY_RESPONSE, type Outcome } from "../response.ts";

export type At = { readonly stepId?: string; readonly attempt?: number };

/** Numbers bodies as one run would. */
export function eventMaker(): (body: AgentEventBody, at?: At) => AgentEvent {
  let seq = 0;
  return (body, at = {}) => ({
    v: EVENT_VERSION,
    runId: "run",
    seq: seq++,
    attempt: 1,
    agent: "a",
    ...at,
    ...body,
  });
}

export function textOf(itemId: string, pieces: readonly string[], role: "open" | "answer"): AgentEventBody[] {
  return [
    { type: "text-start", itemId, role },
    ...pieces.map((delta) => ({ type: "text-delta", itemId, delta }) as const),
  ];
}

export function finishOf(
  content: string,
  answerItems: readonly string[],
  outcome: Outcome = "completed",
): AgentEventBody {
  const response = { ...EMPTY_RESPONSE, is_task_complete: outcome === "completed", content };
  return { type: "finish", outcome, response, answerItems };
}
