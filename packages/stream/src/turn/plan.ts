import type { AgentEventOf } from "../event.ts";
import type { PlanItem, StepProgress } from "./items.ts";
import { append, base, replaceItem } from "./change.ts";
import type { TurnState } from "./state.ts";

const PENDING: StepProgress = { state: "pending" };

/** A snapshot replaces the plan; what is known of a step that is still in it stays. */
export function applyPlan(state: TurnState, event: AgentEventOf<"plan-update">): TurnState {
  const before = findPlan(state, event.stepId);
  const known = new Map(Object.entries(before?.steps ?? {}));
  // Built from entries: a model may have named a step `__proto__` or `constructor`.
  const steps = Object.fromEntries(event.plan.steps.map(({ id }) => [id, known.get(id) ?? PENDING]));
  if (before !== undefined)
    return replaceItem(state, before.key, () => ({ ...before, plan: event.plan, steps }));
  return append(state, { ...base(event, "plan"), kind: "plan", plan: event.plan, steps });
}

/** A status of a step no snapshot has named yet is kept, so nothing is lost when the two cross. */
export function applyStepStatus(state: TurnState, event: AgentEventOf<"step-status">): TurnState {
  const before = findPlan(state, event.stepId);
  const plan: PlanItem = before ?? {
    ...base(event, "plan"),
    kind: "plan",
    plan: { name: "", steps: [] },
    steps: {},
  };
  const progress: StepProgress = {
    state: event.state,
    ...(event.reason === undefined ? {} : { reason: event.reason }),
  };
  const changed: PlanItem = { ...plan, steps: { ...plan.steps, [event.step]: progress } };
  return before === undefined ? append(state, changed) : replaceItem(state, before.key, () => changed);
}

function findPlan(state: TurnState, stepId: string | undefined): PlanItem | undefined {
  return state.items.find((item): item is PlanItem => item.kind === "plan" && item.stepId === stepId);
}

/** The plan of the run itself, not one that a step made. */
export function runPlan(state: TurnState): PlanItem | undefined {
  return findPlan(state, undefined);
}
