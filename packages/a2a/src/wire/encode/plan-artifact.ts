import type { AgentEvent, AgentEventOf, Plan, PlanStep, StepState } from "@troupe/stream";

import { ARTIFACT_NAMES } from "../extension.ts";
import type { Ledger } from "../ledger.ts";
import { dataPart, type Metadata } from "../parts.ts";
import type { EventsRecord } from "../records.ts";

type PlanEvent = AgentEventOf<"plan-update" | "step-status">;
type Entry = EventsRecord["events"][number];

interface PlanState {
  readonly artifactId: string;
  plan: Plan;
  planEntry: Entry | undefined;
  /** The last status of each step, in the order in which they came. */
  readonly statuses: Map<string, { readonly entry: Entry; readonly state: StepState }>;
}

/**
 * One artifact a plan, sent anew as a whole at every change: it stands for the state the plan is
 * in, and a reader that comes late sees just that.
 */
export function createPlanArtifacts(options: {
  readonly ledger: Ledger;
  readonly metadata: (event: AgentEvent, entries: readonly Entry[]) => Metadata;
  readonly nextOrder: () => number;
}): { push(event: PlanEvent): void } {
  const { ledger, nextOrder } = options;
  const plans = new Map<string, PlanState>();

  const stateFor = (event: PlanEvent): PlanState => {
    const scope = event.stepId === undefined ? "plan" : `${event.stepId}/${event.attempt}/plan`;
    let state = plans.get(scope);
    if (state === undefined) {
      state = {
        artifactId: ledger.freeId(scope),
        plan: { name: "", steps: [] },
        planEntry: undefined,
        statuses: new Map(),
      };
      plans.set(scope, state);
    }
    return state;
  };

  return {
    push(event) {
      const state = stateFor(event);
      const entry: Entry = { order: nextOrder(), event };
      if (event.type === "plan-update") {
        state.plan = event.plan;
        state.planEntry = entry;
      } else state.statuses.set(event.step, { entry, state: event.state });
      const entries = [...state.statuses.values()].map((status) => status.entry);
      const all = state.planEntry === undefined ? entries : [state.planEntry, ...entries];
      const content = {
        name: event.type === "plan-update" ? ARTIFACT_NAMES.plan : ARTIFACT_NAMES.planStatus,
        parts: [dataPart({ name: state.plan.name, steps: rows(state) })] as const,
        metadata: options.metadata(event, all),
      };
      if (ledger.isOpen(state.artifactId)) ledger.replace(state.artifactId, content);
      else ledger.create(state.artifactId, content);
    },
  };
}

/** Every step a reader should see, also one that only a status named. */
function rows(state: PlanState): readonly object[] {
  const known = new Set(state.plan.steps.map((step) => step.id));
  const extra: PlanStep[] = [...state.statuses.keys()]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, kind: "agent", agent: "", instruction: "", dependsOn: [] }));
  return [...state.plan.steps, ...extra].map((step, order) => ({
    step_id: step.id,
    title: step.instruction,
    agent: step.agent,
    status: state.statuses.get(step.id)?.state ?? "pending",
    order,
    depends_on: step.dependsOn,
  }));
}
