import type { AgentEventOf } from "../event.ts";
import { base } from "./change.ts";
import type { MessageItem } from "./items.ts";
import { runPlan } from "./plan.ts";
import type { TurnState } from "./state.ts";

/** A known id begins over: a foreign agent may replace what it said, and then that alone stands. */
export function startMessage(state: TurnState, event: AgentEventOf<"text-start">): TurnState {
  const item: MessageItem = {
    ...base(event, "message", event.itemId),
    kind: "message",
    itemId: event.itemId,
    role: event.role,
    text: "",
    closed: false,
  };
  const index = findMessage(state, event);
  const items = index === -1 ? [...state.items, item] : state.items.with(index, item);
  return withTexts({ ...state, items });
}

/**
 * Text added to an item. What it costs must depend neither on how long the text is nor, as far as
 * can be, on how many items there are: this runs for every token.
 */
export function growMessage(state: TurnState, event: AgentEventOf<"text-delta">): TurnState {
  const index = findMessage(state, event);
  const before = state.items[index];
  if (before?.kind !== "message" || before.closed) return state;
  const item: MessageItem = { ...before, text: before.text + event.delta };
  const grown = { ...state, items: state.items.with(index, item) };
  if (item.role === "narration" || item.superseded || !isOwn(state, item)) return grown;
  // Anything of the run's own after it, and the texts are put together anew.
  const isLast = !state.items
    .slice(index + 1)
    .some((later) => later.kind === "message" && isOwn(state, later));
  if (!isLast) return withTexts(grown);
  const answer = item.role === "answer" ? state.answer + event.delta : state.answer;
  const draft = item.role === "open" ? item.text : state.draft;
  return { ...grown, answer, draft, content: answer === "" ? draft : answer };
}

/** Settles or closes an item. */
export function changeMessage(
  state: TurnState,
  event: AgentEventOf<"text-role" | "text-end">,
  change: Partial<MessageItem>,
): TurnState {
  const index = findMessage(state, event);
  const item = state.items[index];
  if (item?.kind !== "message") return state;
  return withTexts({ ...state, items: state.items.with(index, { ...item, ...change }) });
}

/** The answer and the draft of the run itself. */
export function withTexts(state: TurnState): TurnState {
  const passedThrough = runPlan(state)?.plan.answerStep;
  let answer = "";
  let draft = "";
  for (const item of state.items) {
    if (item.kind !== "message" || item.superseded) continue;
    if (item.stepId !== undefined && item.stepId !== passedThrough) continue;
    if (item.role === "answer") answer += item.text;
    if (item.role === "open") draft = item.text;
  }
  return { ...state, answer, draft, content: answer === "" ? draft : answer };
}

/** What a step says is narration of the run, unless the plan passes that step's answer through. */
function isOwn(state: TurnState, { stepId }: MessageItem): boolean {
  return stepId === undefined || stepId === runPlan(state)?.plan.answerStep;
}

type Place = Pick<AgentEventOf<"text-delta">, "itemId" | "attempt" | "stepId">;

/** From the end: the last items are the ones that change. */
function findMessage({ items }: TurnState, { itemId, attempt, stepId }: Place): number {
  return items.findLastIndex(
    (item) =>
      item.kind === "message" && item.itemId === itemId && item.attempt === attempt && item.stepId === stepId,
  );
}
