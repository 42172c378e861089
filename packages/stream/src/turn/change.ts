import type { AgentEvent } from "../event.ts";
import type { AgentTurnItem } from "./items.ts";
import type { StepView, TurnState } from "./state.ts";

/** `stepId/attempt/id`: where items of different steps and attempts stay apart. */
export function itemKey(event: Pick<AgentEvent, "stepId" | "attempt">, id: string): string {
  return `${event.stepId ?? ""}/${event.attempt}/${id}`;
}

/** What every item made from this event carries. */
export function base(event: AgentEvent, id: string) {
  return {
    key: itemKey(event, id),
    ...(event.stepId === undefined ? {} : { stepId: event.stepId }),
    agent: event.agent,
    attempt: event.attempt,
    superseded: false,
  };
}

export function append(state: TurnState, item: AgentTurnItem): TurnState {
  return { ...state, items: [...state.items, item] };
}

/** Puts a changed copy in the place of the last item with this key; the last are the ones that change. */
export function replaceItem(
  state: TurnState,
  key: string,
  change: (item: AgentTurnItem) => AgentTurnItem,
): TurnState {
  const index = state.items.findLastIndex((item) => item.key === key);
  const found = state.items[index];
  if (found === undefined) return state;
  return { ...state, items: state.items.with(index, change(found)) };
}

export function changeStep(
  state: TurnState,
  stepId: string,
  change: (step: StepView) => StepView,
): TurnState {
  const step = state.steps[stepId];
  return step === undefined ? state : { ...state, steps: { ...state.steps, [stepId]: change(step) } };
}
