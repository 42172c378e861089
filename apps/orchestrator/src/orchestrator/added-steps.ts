import { callerIn, type Caller } from "@troupe/core";
import type { Json, StepState } from "@troupe/stream";
import {
  checkAddedSteps,
  MAX_REPLANS,
  normalizeWorkflow,
  parseWorkflowValue,
  runInputSchema,
  type AddedStepsContext,
  type DagDriverOptions,
  type DagSpec,
  type RecordedRun,
  type RunView,
  type Workflow,
} from "@troupe/workflow";

import type { Team } from "./plan-patiently.ts";

export type NormalizeAdded = NonNullable<DagDriverOptions["replan"]>["normalize"];

/**
 * Allows the model that writes the answer to ask for more steps. A workflow that passes the answer of its last step
 * through is returned without `max_replans`, since no model writes its answer.
 */
export function mayReplan(workflow: Workflow, maxReplans: number = MAX_REPLANS): Workflow {
  const { max_replans: _, ...fixed } = workflow;
  return maxReplans > 0 && normalizeWorkflow(fixed).final === "synthesize"
    ? { ...fixed, max_replans: Math.min(maxReplans, MAX_REPLANS) }
    : fixed;
}

export interface AddedSpecParts {
  readonly team: (caller: Caller | undefined) => Promise<Team>;
  readonly normalize: NormalizeAdded;
  readonly asked: RecordedRun | undefined;
}

/** Reads the steps with which a person replaces those to approve. Throws an `InputError` if they cannot run. */
export async function addedSpec(
  value: Json,
  { steps: before, name }: Pick<RunView, "steps" | "name">,
  { team, normalize, asked }: AddedSpecParts,
): Promise<DagSpec> {
  const workflow = parseWorkflowValue(value, { name });
  const empty: DagSpec = { v: 1, name: workflow.name, steps: [], final: "synthesize" };
  const context: AddedStepsContext = {
    ...(await team(callerIn(runInputSchema.safeParse(asked?.input).data ?? {}))),
    steps: before.map((step) => ({ ...step, instruction: "", outcome: OUTCOMES[step.state] ?? "skipped" })),
    normalize: (all) => normalize(all, asked?.spec ?? empty),
  };
  return { ...empty, steps: await checkAddedSteps(workflow.steps, context) };
}

const OUTCOMES: { readonly [state in StepState]?: AddedStepsContext["steps"][number]["outcome"] } = {
  completed: "completed",
  partial: "partial",
  failed: "failed",
  canceled: "canceled",
};
