import type { AgentEvent } from "../event.ts";
import type { AgentTurnItem } from "./items.ts";
import type { StepView, TurnState } from "./state.ts";

/** `stepId/attempt/id`: where items of different steps and attempts stay apart. */
export function itemKey(event: Pick<AgentEvent, "stepId" | "attempt">, id: string): string {
  return `${event.stepId ?? ""}/${event.attempt}/${id}`;
}

/** What every item made from this event carries. */
export function base(event: AgentEvent, kind: AgentTurnItem["kind"], id: string) {
  return {
    // Whoever made the ids of calls and files did not know those of messages.
    key: itemKey(event, kind === "message" ? id : `${kind}:${id}`),
    ...(event.stepId === undefined ? {} : { stepId: event.stepId }),
    agent: event.agent,
    attempt: event.attempt,
    superseded: false,
  };
}

/** Puts it in the place of the item with its key, or at the end where there is none. */
export function put(state: TurnState, item: AgentTurnItem): TurnState {
  const index = state.items.findLastIndex(({ key }) => key === item.key);
  const items = index === -1 ? [...state.items, item] : state.items.with(index, item);
  return { ...state, items };
}

export function changeStep(
  state: TurnState,
  stepId: string,
  change: (step: StepView) => StepView,
): TurnState {
  const step = state.steps[stepId];
  return step === undefined ? state : { ...state, steps: { ...state.steps, [stepId]: change(step) } };
}
