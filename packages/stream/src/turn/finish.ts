import type { AgentEventOf } from "../event.ts";
import type { AgentTurnItem, PlanItem, StepProgress } from "./items.ts";
import { changeStep } from "./change.ts";
import type { TurnState } from "./state.ts";

/** The end of a step is noted with the step; the end of the run decides what the answer is. */
export function finishTurn(state: TurnState, event: AgentEventOf<"finish">): TurnState {
  const items = state.items.map((item) => {
    if (item.stepId !== event.stepId && event.stepId !== undefined) return item;
    return settle(named(item, event), event);
  });
  if (event.stepId !== undefined) {
    return changeStep({ ...state, items }, event.stepId, (step) => ({ ...step, outcome: event.outcome }));
  }
  const { response, outcome, error } = event;
  return {
    ...state,
    items,
    answer: response.content,
    draft: "",
    content: response.content,
    citations: response.citations,
    outcome,
    response,
    ...(error === undefined ? {} : { error }),
  };
}

/** `answerItems` is the only authority on what the answer was. */
function named(item: AgentTurnItem, event: AgentEventOf<"finish">): AgentTurnItem {
  if (item.kind !== "message") return item;
  const own = item.stepId === event.stepId;
  if (event.answerItems.includes(item.key) || (own && event.answerItems.includes(item.itemId))) {
    return { ...item, role: "answer", superseded: false };
  }
  return own && item.role === "answer" ? { ...item, role: "narration" } : item;
}

/** Nothing looks as if it still ran after the end. A turn that waits for a person goes on later. */
function settle(item: AgentTurnItem, event: AgentEventOf<"finish">): AgentTurnItem {
  if (item.kind === "message" && !item.closed) {
    return { ...item, closed: true, role: item.role === "open" ? "narration" : item.role };
  }
  if (item.kind === "tool_call" && item.status === "running") return { ...item, status: "canceled" };
  if (item.kind === "plan" && event.outcome !== "input-required") return { ...item, steps: endSteps(item) };
  return item;
}

function endSteps(plan: PlanItem): PlanItem["steps"] {
  const ended = (progress: StepProgress): StepProgress => {
    if (progress.state === "pending") return { ...progress, state: "skipped" };
    return progress.state === "in_progress" ? { ...progress, state: "canceled" } : progress;
  };
  return Object.fromEntries(Object.entries(plan.steps).map(([id, progress]) => [id, ended(progress)]));
}
