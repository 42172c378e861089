import type { AgentEventOf } from "../event.ts";
import { changeStep } from "./change.ts";
import type { AgentTurnItem } from "./items.ts";
import { withTexts } from "./message.ts";
import { reopenSteps } from "./plan.ts";
import type { TurnState } from "./state.ts";

/** A retry: what the attempt before made, or what is named of it, stays to be seen and counts no more. */
export function supersede(state: TurnState, event: AgentEventOf<"attempt-start">): TurnState {
  return event.items === undefined ? restart(state, event) : supersedeNamed(state, event, event.items);
}

function supersedeNamed(
  state: TurnState,
  event: AgentEventOf<"attempt-start">,
  named: readonly string[],
): TurnState {
  const items = state.items.map((item) => {
    if (item.stepId !== event.stepId || item.attempt >= event.attempt) return item;
    const id = item.kind === "message" ? item.itemId : "callId" in item ? item.callId : undefined;
    return id !== undefined && named.includes(id) ? { ...item, superseded: true } : item;
  });
  return withTexts({ ...state, items });
}

function restart(state: TurnState, event: AgentEventOf<"attempt-start">): TurnState {
  const { stepId } = event;
  const items = state.items.map((item): AgentTurnItem => {
    if (item.kind === "plan" && item.stepId === undefined) return reopenSteps(item, stepId);
    if (item.attempt >= event.attempt || !belongsTo(item, stepId)) return item;
    return { ...item, superseded: true };
  });
  const cleared = withTexts({ ...state, items });
  if (stepId === undefined) return { ...cleared, citations: [] };
  return changeStep(cleared, stepId, ({ outcome: _, ...step }) => ({ ...step, citations: [] }));
}

/** Of the step, or of a step within it. */
function belongsTo(item: AgentTurnItem, stepId: string | undefined): boolean {
  return item.stepId === stepId || (stepId !== undefined && item.stepId?.startsWith(`${stepId}/`) === true);
}
