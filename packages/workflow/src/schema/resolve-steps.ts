import type { Workflow, WorkflowStep } from "./workflow-schema.ts";

/** A step with its id and dependencies decided, before anything is checked. */
export interface ResolvedStep {
  /** Undefined when the step has no id and its agent's name is not unique. */
  readonly id: string | undefined;
  /** What a message calls the step: its id, or its number counted from 1. */
  readonly label: string;
  readonly step: WorkflowStep;
  readonly dependsOn: readonly string[];
}

/**
 * Ids default to the agent's name where that is unique. `sequential` makes each step depend on the
 * one before it, except a step that says itself what it depends on (an empty list included);
 * `parallel` adds nothing.
 */
export function resolveSteps(workflow: Workflow): readonly ResolvedStep[] {
  const given = new Set(workflow.steps.flatMap((step) => step.id ?? []));
  const unnamed = workflow.steps.filter((step) => step.id === undefined).map((step) => step.agent);
  const named = workflow.steps.map((step, index) => {
    const unique =
      step.agent !== undefined &&
      !given.has(step.agent) &&
      unnamed.filter((agent) => agent === step.agent).length === 1;
    const id = step.id ?? (unique ? step.agent : undefined);
    return { id, label: id ?? `step ${index + 1}`, step };
  });
  return named.map((entry, index) => {
    const before = workflow.mode === "sequential" ? named[index - 1]?.id : undefined;
    return { ...entry, dependsOn: entry.step.depends_on ?? (before === undefined ? [] : [before]) };
  });
}
