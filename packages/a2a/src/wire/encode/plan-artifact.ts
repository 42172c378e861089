import type { Artifact } from "@a2a-js/sdk";
import type { AgentEvent, AgentEventOf, Plan, PlanStep, StepState } from "@troupe/stream";

import { ARTIFACT_NAMES, PLAN_NAMES } from "../extension.ts";
import type { Ledger } from "../ledger.ts";
import { dataPart, type Metadata } from "../parts.ts";
import { readRecord, type EventsRecord } from "../records.ts";
import { describe } from "./describe.ts";

type PlanEvent = AgentEventOf<"plan-update" | "step-status">;
type Entry = EventsRecord["events"][number];

/** The last plan of one scope and the last status of each of its steps, in order of arrival. */
interface PlanEvents {
  plan: AgentEventOf<"plan-update"> | undefined;
  readonly statuses: Map<string, AgentEventOf<"step-status">>;
}

interface PlanState {
  readonly artifactId: string;
  plan: Plan;
  /** Undefined where an earlier turn sent the plan: its events are not sent twice. */
  planEntry: Entry | undefined;
  /** The last status of each step, in order of arrival. */
  readonly statuses: Map<string, { readonly entry: Entry | undefined; readonly state: StepState }>;
}

export interface PlanArtifacts {
  push(event: PlanEvent): void;
  /** True when the plan of run `runId` passes the answer of step `stepId` through as its own. */
  passesThrough(runId: string, stepId: string): boolean;
}

/**
 * One artifact per plan and turn, replaced as a whole at every change, so a
 * late reader gets its current state. A turn after a person's reply continues the plan of the turns
 * before it, which `earlier` holds: its events may be nothing but the states of single steps.
 */
export function createPlanArtifacts(options: {
  readonly ledger: Ledger;
  readonly metadata: (event: AgentEvent, entries: readonly Entry[]) => Metadata;
  readonly nextOrder: () => number;
  readonly earlier: readonly Artifact[];
}): PlanArtifacts {
  const { ledger, nextOrder } = options;
  const known = readPlans(options.earlier);
  const plans = new Map<string, PlanState>();

  const stateFor = (event: PlanEvent): PlanState => {
    const scope = scopeOf(event);
    let state = plans.get(scope);
    if (state === undefined) {
      const before = known.get(scope);
      const plan = before?.plan?.runId === event.runId ? before.plan : undefined;
      const statuses = plan === undefined ? [] : [...(before?.statuses ?? [])];
      state = {
        artifactId: ledger.freeId(scope),
        plan: plan?.plan ?? { name: "", steps: [] },
        planEntry: undefined,
        statuses: new Map(statuses.map(([step, { state }]) => [step, { entry: undefined, state }])),
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
      const all = [state.planEntry, ...[...state.statuses.values()].map((status) => status.entry)].filter(
        (one) => one !== undefined,
      );
      const content = {
        name: event.type === "plan-update" ? ARTIFACT_NAMES.plan : ARTIFACT_NAMES.planStatus,
        description: describe.plan(event),
        parts: [dataPart({ name: state.plan.name, steps: rows(state) })] as const,
        metadata: options.metadata(event, all),
      };
      if (ledger.isOpen(state.artifactId)) ledger.replace(state.artifactId, content);
      else ledger.create(state.artifactId, content);
    },
    passesThrough(runId, stepId) {
      const before = known.get(RUN_SCOPE)?.plan;
      const plan = plans.get(RUN_SCOPE)?.plan ?? (before?.runId === runId ? before.plan : undefined);
      return plan?.answerStep === stepId;
    },
  };
}

const RUN_SCOPE = "plan";

function scopeOf({ stepId, attempt }: PlanEvent): string {
  return stepId === undefined ? RUN_SCOPE : `${stepId}/${attempt}/plan`;
}

/** The plans in artifacts of earlier turns, by scope. */
function readPlans(artifacts: readonly Artifact[]): ReadonlyMap<string, PlanEvents> {
  const plans = new Map<string, PlanEvents>();
  for (const { name, metadata } of artifacts) {
    const record = PLAN_NAMES.has(name) ? readRecord(metadata) : undefined;
    for (const { event } of record?.kind === "events" ? record.events : []) {
      if (event.type !== "plan-update" && event.type !== "step-status") continue;
      const scope = scopeOf(event);
      const plan = plans.get(scope) ?? { plan: undefined, statuses: new Map() };
      plans.set(scope, plan);
      if (event.type === "plan-update") plan.plan = event;
      else plan.statuses.set(event.step, event);
    }
  }
  return plans;
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
