import type { InputRequest } from "../form.ts";
import { emptyTurn, type TurnState } from "./state.ts";

/** What a person is asked and has not answered, oldest first; nothing unless the turn ended to wait. */
export function pendingRequests(state: TurnState): readonly InputRequest[] {
  if (state.outcome !== "input-required") return [];
  return state.items.flatMap((item) => (item.kind === "form" && !item.superseded ? [item.request] : []));
}

/**
 * The turn that a reply begins. The run goes on, and so does its plan; everything else stays with the
 * turn that ended, where ids may come again. `answered` is the request that the reply is to: what was
 * asked beside it is asked still. Without it, as for free text, whatever is still open is asked anew.
 */
export function continueTurn(ended: TurnState, answered?: string): TurnState {
  const items = ended.items.filter((item) => {
    if (item.superseded || item.kind === "plan") return !item.superseded;
    return item.kind === "form" && answered !== undefined && item.request.requestId !== answered;
  });
  return { ...emptyTurn, items };
}
