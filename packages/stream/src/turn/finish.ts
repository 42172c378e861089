import type { AgentEventOf } from "../event.ts";
import type { AgentTurnItem } from "./items.ts";
import { changeStep } from "./change.ts";
import { withTexts } from "./message.ts";
import { endSteps } from "./plan.ts";
import type { TurnState } from "./state.ts";

/** The end of a step is noted with the step; the end of the run decides what the answer is. */
export function finishTurn(state: TurnState, event: AgentEventOf<"finish">): TurnState {
  const answers = answersOf(state, event);
  const items = state.items.map((item) => {
    if (item.stepId !== event.stepId && event.stepId !== undefined) return item;
    return settle(named(item, event, answers), event);
  });
  if (event.stepId !== undefined) {
    const ended = withTexts({ ...state, items });
    return changeStep(ended, event.stepId, (step) => ({ ...step, outcome: event.outcome }));
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

/** `answerItems` is the only authority on what the answer was. An id stands for the last item that has it. */
function answersOf({ items }: TurnState, event: AgentEventOf<"finish">): ReadonlySet<AgentTurnItem> {
  const found = event.answerItems.map((name) =>
    items.findLast(
      (item) =>
        item.kind === "message" &&
        (item.key === name || (item.stepId === event.stepId && item.itemId === name)),
    ),
  );
  return new Set(found.filter((item) => item !== undefined));
}

function named(
  item: AgentTurnItem,
  event: AgentEventOf<"finish">,
  answers: ReadonlySet<AgentTurnItem>,
): AgentTurnItem {
  if (item.kind !== "message") return item;
  if (answers.has(item)) return { ...item, role: "answer", superseded: false };
  const unnamed = item.stepId === event.stepId && item.role === "answer";
  return unnamed ? { ...item, role: "narration" } : item;
}

/** Nothing looks as if it still ran after the end. A plan that waits for a person goes on in the next turn. */
function settle(item: AgentTurnItem, event: AgentEventOf<"finish">): AgentTurnItem {
  if (item.kind === "message" && (!item.closed || item.role === "open")) {
    return { ...item, closed: true, role: item.role === "open" ? "narration" : item.role };
  }
  if (item.kind === "tool_call" && item.status === "running") return { ...item, status: "canceled" };
  if (item.kind === "plan" && event.outcome !== "input-required") return endSteps(item);
  return item;
}
