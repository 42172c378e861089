import { EMPTY_RESPONSE, type AgentEvent, type AgentEventBody } from "@troupe/stream";

import { endsRun } from "../engine/ends-run.ts";

/**
 * What a run tells in the place of an event that could not be kept. Its end stays its end, with the same outcome:
 * whoever follows it does not wait for ever. For any other event it is a note of four.
 */
export function inPlaceOf(event: AgentEvent): readonly AgentEvent[] {
  const { v, runId, seq, attempt, agent, stepId } = event;
  const head = { v, runId, seq, attempt, agent, ...(stepId === undefined ? {} : { stepId }) };
  if (event.type === "finish" && endsRun(event)) {
    const content = "The answer of this run could not be kept: the database of events does not take it.";
    const response = { ...EMPTY_RESPONSE, is_task_complete: event.response.is_task_complete, content };
    return [{ ...head, type: "finish", outcome: event.outcome, response, answerItems: [] }];
  }
  return note(event).map((body) => ({ ...head, ...body }));
}

function note({ type, seq }: AgentEvent): readonly AgentEventBody[] {
  const itemId = `not-kept-${seq}`;
  const delta = `An event of this place (${type}) could not be kept: the database of events does not take it.`;
  return [
    { type: "text-start", itemId, role: "open" },
    { type: "text-delta", itemId, delta },
    { type: "text-role", itemId, role: "narration" },
    { type: "text-end", itemId },
  ];
}
