import type { AgentEventOf } from "../event.ts";
import type { StepState } from "../plan.ts";
import type { PlanItem, StepProgress } from "./items.ts";
import { base, put } from "./change.ts";
import type { TurnState } from "./state.ts";

const PENDING: StepProgress = { state: "pending" };

/** States no step leaves, short of a new attempt. */
const FINISHED: ReadonlySet<StepState> = new Set(["completed", "partial", "failed", "skipped", "canceled"]);

/** A snapshot replaces the plan; what is known of steps stays, also of those it does not name. */
export function applyPlan(state: TurnState, event: AgentEventOf<"plan-update">): TurnState {
  const plan = findPlan(state, event.stepId) ?? emptyPlan(event);
  const known = new Map(Object.entries(plan.steps));
  // Built from entries: a model may have named a step `__proto__` or `constructor`.
  const named = event.plan.steps.map(({ id }) => [id, known.get(id) ?? PENDING] as const);
  return put(state, { ...plan, plan: event.plan, steps: Object.fromEntries([...named, ...known]) });
}

/** A status of a step no snapshot has named yet is kept, so nothing is lost when the two cross. */
export function applyStepStatus(state: TurnState, event: AgentEventOf<"step-status">): TurnState {
  const plan = findPlan(state, event.stepId) ?? emptyPlan(event);
  const before = new Map(Object.entries(plan.steps)).get(event.step);
  if (before !== undefined && FINISHED.has(before.state) && !FINISHED.has(event.state)) return state;
  const progress: StepProgress = {
    state: event.state,
    ...(event.reason === undefined ? {} : { reason: event.reason }),
  };
  return put(state, { ...plan, steps: { ...plan.steps, [event.step]: progress } });
}

/** A new attempt of a step, or of all of them, may begin what was finished. */
export function reopenSteps(plan: PlanItem, stepId: string | undefined): PlanItem {
  const steps = Object.entries(plan.steps).map(([id, progress]) => {
    const again = FINISHED.has(progress.state) && (stepId === undefined || stepId === id);
    return [id, again ? PENDING : progress] as const;
  });
  return { ...plan, steps: Object.fromEntries(steps) };
}

/** Nothing runs on after the end, and nothing is called completed that is not. */
export function endSteps(plan: PlanItem): PlanItem {
  const ended = (progress: StepProgress): StepProgress => {
    if (FINISHED.has(progress.state)) return progress;
    return { ...progress, state: progress.state === "pending" ? "skipped" : "canceled" };
  };
  const steps = Object.entries(plan.steps).map(([id, progress]) => [id, ended(progress)] as const);
  return { ...plan, steps: Object.fromEntries(steps) };
}

function emptyPlan(event: AgentEventOf<"plan-update" | "step-status">): PlanItem {
  return { ...base(event, "plan", ""), kind: "plan", plan: { name: "", steps: [] }, steps: {} };
}

function findPlan(state: TurnState, stepId: string | undefined): PlanItem | undefined {
  return state.items.find(
    (item): item is PlanItem => item.kind === "plan" && item.stepId === stepId && !item.superseded,
  );
}

/** The plan of the run itself, not one that a step made. */
export function runPlan(state: TurnState): PlanItem | undefined {
  return findPlan(state, undefined);
}
