import type { AgentEvent, AgentEventOf } from "../event.ts";
import { base, changeStep, put } from "./change.ts";
import { finishTurn } from "./finish.ts";
import { changeMessage, growMessage, startMessage, withTexts } from "./message.ts";
import { applyPlan, applyStepStatus } from "./plan.ts";
import { addUsage, NO_USAGE, type StepView, type TurnState } from "./state.ts";
import { supersede } from "./supersede.ts";
import { endTool, startTool } from "./tool.ts";

/**
 * Folds one event into the turn. Pure: the state before stays as it was. What an item is follows
 * from event types alone, never from the wording of a text. The run's own finish is the last thing
 * that happens in a turn: what comes after it changes nothing, and what follows a reply is the
 * next turn (`continueTurn`). An event of a type this version does not know changes nothing; a type
 * added to the union does not compile until it is handled here.
 */
export function reduceTurn(before: TurnState, event: AgentEvent): TurnState {
  if (before.outcome !== undefined) return before;
  const state = event.stepId === undefined ? before : seenStep(before, event, event.stepId);
  switch (event.type) {
    case "text-start":
      return startMessage(state, event);
    case "text-delta":
      return growMessage(state, event);
    case "text-role":
      return changeMessage(state, event, { role: event.role });
    case "text-end":
      return changeMessage(state, event, { closed: true });
    case "tool-start":
      return startTool(state, event);
    case "tool-end":
      return endTool(state, event);
    case "plan-update":
      // It may name another step whose answer is the run's.
      return withTexts(applyPlan(state, event));
    case "step-status":
      return applyStepStatus(state, event);
    case "artifact":
      return put(state, {
        ...base(event, "file", event.artifact.id),
        kind: "file",
        artifact: event.artifact,
      });
    case "citation":
      return applyCitation(state, event);
    case "usage":
      return applyUsage(state, event);
    case "attempt-start":
      return supersede(state, event);
    case "input-required":
      return put(state, {
        ...base(event, "form", event.request.requestId),
        kind: "form",
        request: event.request,
      });
    case "finish":
      return finishTurn(state, event);
    default:
      event satisfies never;
      return state;
  }
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
