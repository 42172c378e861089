import type { InputRequest } from "../form.ts";
import { emptyTurn, type TurnState } from "./state.ts";

/** What a person is asked and has not answered, oldest first; nothing unless the turn ended to wait. */
export function pendingRequests(state: TurnState): readonly InputRequest[] {
  if (state.outcome !== "input-required") return [];
  return state.items.flatMap((item) => (item.kind === "form" && !item.superseded ? [item.request] : []));
}

/**
 * The turn that a reply begins. The run goes on, and so do its plan and whatever else it still asks;
 * everything else stays with the turn that ended, where ids may come again.
 */
export function continueTurn(ended: TurnState, answered?: string): TurnState {
  const items = ended.items.filter((item) => {
    if (item.kind === "form") return !item.superseded && item.request.requestId !== answered;
    return item.kind === "plan" && !item.superseded;
  });
  return { ...emptyTurn, items };
}
