import type { AgentEvent, AgentEventOf } from "../event.ts";
import type { AgentTurnItem, MessageItem } from "./items.ts";
import { append, base, changeStep, itemKey, replaceItem } from "./change.ts";
import { finishTurn } from "./finish.ts";
import { applyPlan, applyStepStatus, runPlan } from "./plan.ts";
import { addUsage, NO_USAGE, type StepView, type TurnState } from "./state.ts";

/**
 * Folds one event into the turn. Pure: the state before stays as it was. What an item is follows
 * from event types alone, never from the wording of a text. An event of a type this version does
 * not know changes nothing; a type added to the union does not compile until it is handled here.
 */
export function reduceTurn(before: TurnState, event: AgentEvent): TurnState {
  const state = event.stepId === undefined ? before : seenStep(before, event, event.stepId);
  switch (event.type) {
    case "text-start":
      return withTexts(append(state, message(event)));
    case "text-delta":
      return changeMessage(state, event, (item) => ({ ...item, text: item.text + event.delta }));
    case "text-role":
      return changeMessage(state, event, (item) => ({ ...item, role: event.role }));
    case "text-end":
      return changeMessage(state, event, (item) => ({ ...item, closed: true }));
    case "tool-start":
    case "tool-end":
      return applyTool(state, event);
    case "plan-update":
      return withTexts(applyPlan(state, event));
    case "step-status":
      return applyStepStatus(state, event);
    case "artifact":
      return applyFile(state, event);
    case "citation":
      return applyCitation(state, event);
    case "usage":
      return applyUsage(state, event);
    case "attempt-start":
      return supersede(state, event);
    case "input-required":
      return append(state, { ...base(event, event.request.requestId), kind: "form", request: event.request });
    case "finish":
      return finishTurn(state, event);
    default:
      event satisfies never;
      return state;
  }
}

function message(event: AgentEventOf<"text-start">): MessageItem {
  return {
    ...base(event, event.itemId),
    kind: "message",
    itemId: event.itemId,
    role: event.role,
    text: "",
    closed: false,
  };
}

function changeMessage(
  state: TurnState,
  event: AgentEventOf<"text-delta" | "text-role" | "text-end">,
  change: (item: MessageItem) => MessageItem,
): TurnState {
  const changed = replaceItem(state, itemKey(event, event.itemId), (item) =>
    item.kind === "message" ? change(item) : item,
  );
  return withTexts(changed);
}

/**
 * The answer and the draft of the run itself. What a step says is narration of the run, unless the
 * plan passes that step's answer through.
 */
function withTexts(state: TurnState): TurnState {
  if (state.outcome !== undefined) return state;
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

function applyTool(state: TurnState, event: AgentEventOf<"tool-start" | "tool-end">): TurnState {
  const key = itemKey(event, event.callId);
  const known = state.items.some((item) => item.key === key);
  const started = known
    ? state
    : append(state, {
        ...base(event, event.callId),
        kind: "tool_call",
        callId: event.callId,
        tool: event.tool,
        arguments: event.type === "tool-start" ? event.arguments : null,
        status: "running",
        summary: "",
        ms: 0,
      });
  if (event.type === "tool-start") return started;
  return replaceItem(started, key, (item) =>
    item.kind === "tool_call"
      ? { ...item, status: event.status, summary: event.summary, ms: event.ms }
      : item,
  );
}

function applyFile(state: TurnState, event: AgentEventOf<"artifact">): TurnState {
  const file = { ...base(event, event.artifact.id), kind: "file", artifact: event.artifact } as const;
  const known = state.items.some((item) => item.key === file.key);
  return known ? replaceItem(state, file.key, () => file) : append(state, file);
}

function applyCitation(state: TurnState, event: AgentEventOf<"citation">): TurnState {
  if (event.stepId === undefined) return { ...state, citations: [...state.citations, event.citation] };
  return changeStep(state, event.stepId, (step) => ({
    ...step,
    citations: [...step.citations, event.citation],
  }));
}

function applyUsage(state: TurnState, event: AgentEventOf<"usage">): TurnState {
  const summed = { ...state, usage: addUsage(state.usage, event.usage) };
  if (event.stepId === undefined) return summed;
  return changeStep(summed, event.stepId, (step) => ({ ...step, usage: addUsage(step.usage, event.usage) }));
}

function supersede(state: TurnState, event: AgentEventOf<"attempt-start">): TurnState {
  const superseded = (item: AgentTurnItem): boolean => {
    if (item.stepId !== event.stepId || item.attempt >= event.attempt) return false;
    if (event.items === undefined) return item.kind !== "plan";
    if (item.kind === "message") return event.items.includes(item.itemId);
    return item.kind === "tool_call" && event.items.includes(item.callId);
  };
  const items = state.items.map((item) => (superseded(item) ? { ...item, superseded: true } : item));
  const cleared = { ...state, items };
  if (event.stepId === undefined) {
    return withTexts(event.items === undefined ? { ...cleared, citations: [] } : cleared);
  }
  if (event.items !== undefined) return withTexts(cleared);
  return changeStep(withTexts(cleared), event.stepId, ({ outcome: _, ...step }) => ({
    ...step,
    citations: [],
  }));
}

function seenStep(state: TurnState, event: AgentEvent, stepId: string): TurnState {
  const known = state.steps[stepId];
  if (known !== undefined && known.attempt >= event.attempt) return state;
  const step: StepView = {
    stepId,
    usage: NO_USAGE,
    citations: [],
    ...known,
    agent: event.agent,
    attempt: event.attempt,
  };
  return { ...state, steps: { ...state.steps, [stepId]: step } };
}
