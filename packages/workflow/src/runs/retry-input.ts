import { InputError, nearestNames } from "@troupe/core";

import type { RunInput, RunOutcome, StepOutcome } from "../engine/run.ts";
import type { RecordedRun } from "../engine/recorded-run.ts";
import type { DagSpec } from "../schema/spec.ts";

/** A run that has ended, as far as doing it again needs it. */
export interface EndedRun {
  readonly spec: DagSpec;
  readonly input: RunInput;
  readonly outcome: RunOutcome;
}

/**
 * What a run is asked that does an earlier one again from a step on: it keeps the results of every step
 * that has one and is neither that step nor behind it. Without a step it begins with the first that
 * failed; where every step completed and only the answer is not whole, the answer is written again.
 * In whose trace it stands and which turn it was is not kept. Throws an `InputError` that says what can be done instead.
 */
export function retryInput({ spec: begun, input, outcome }: EndedRun, from?: string): RunInput {
  const spec = ranSpec({ spec: begun, outcome });
  const { runId } = outcome;
  const results = new Map(outcome.steps.map((step) => [step.stepId, step]));
  const start = from ?? firstToDo(spec, outcome, results);
  const again = new Set(spec.steps.filter(({ id }) => !hasEnded(results.get(id))).map(({ id }) => id));
  if (from !== undefined) requireStart(spec, runId, from, again);
  if (start !== undefined) again.add(start);
  // Steps stand in no order of their dependencies: until nothing more is behind one of them.
  for (let size = -1; size !== again.size;) {
    size = again.size;
    for (const { id, dependsOn } of spec.steps)
      if (dependsOn.some((other) => again.has(other))) again.add(id);
  }
  const kept = outcome.steps
    .filter(({ stepId }) => !again.has(stepId))
    .map((step) => [step.stepId, { ...step, keptFrom: step.keptFrom ?? runId }] as const);
  // Its plan has been made. What nobody approved, because it was rejected or not answered, is asked about again; of a
  // plan that was approved only what is added to it.
  const { trace: _trace, planning: _planning, turn: _turn, approval, ...asked } = input;
  return {
    ...asked,
    ...(approval && outcome.plan === undefined && { approval }),
    ...(approval && outcome.plan && spec.maxReplans && { approval: { ...approval, given: true } }),
    retryOf: runId,
    kept: Object.fromEntries(kept),
  };
}

/**
 * The plan that a run executed: the plan that a person put in place of the original, if any, with the added steps.
 */
export function ranSpec({ spec: begun, outcome }: Pick<RecordedRun, "spec" | "outcome">): DagSpec {
  const spec = outcome?.plan?.spec ?? begun;
  const added = outcome?.revisions?.flatMap(({ steps }) => steps) ?? [];
  return added.length === 0 ? spec : { ...spec, steps: [...spec.steps, ...added] };
}

function hasEnded(step: StepOutcome | undefined): boolean {
  return step?.outcome === "completed" || step?.outcome === "partial";
}

function firstToDo(
  spec: DagSpec,
  { runId, outcome }: RunOutcome,
  results: ReadonlyMap<string, StepOutcome>,
): string | undefined {
  const without = spec.steps.filter(({ id }) => !hasEnded(results.get(id)));
  // What was skipped comes after what failed, wherever it stands.
  const failed = without.find(({ id }) => results.get(id)?.outcome !== "skipped") ?? without[0];
  const first = failed ?? spec.steps.find(({ id }) => results.get(id)?.outcome === "partial");
  if (first !== undefined) return first.id;
  if (outcome !== "completed" && spec.final === "synthesize") return undefined;
  throw new InputError(
    "input.invalid",
    `Every step of run "${runId}" completed. Name the step to begin again from: ${named(spec)}.`,
  );
}

function requireStart(spec: DagSpec, runId: string, from: string, without: ReadonlySet<string>): void {
  const ids = spec.steps.map(({ id }) => id);
  if (!ids.includes(from)) {
    const near = nearestNames(from, ids)[0];
    throw new InputError(
      "input.invalid",
      `Run "${runId}" has no step "${from}"${near === undefined ? "." : `; did you mean "${near}"?`} Its steps are ${named(spec)}.`,
    );
  }
  const missing = neededBy(spec, from).filter((id) => without.has(id));
  const first = missing.find((id) => !neededBy(spec, id).some((before) => without.has(before)));
  if (first !== undefined)
    throw new InputError(
      "input.invalid",
      `Run "${runId}" cannot begin again from step "${from}": step "${first}", which it waits for, has no result. Begin from "${first}".`,
    );
}

/** The steps that one waits for, and those they wait for. */
function neededBy({ steps }: DagSpec, id: string): readonly string[] {
  const found = new Set(steps.find((step) => step.id === id)?.dependsOn);
  for (const before of found)
    for (const more of steps.find((step) => step.id === before)?.dependsOn ?? []) found.add(more);
  return [...found];
}

function named(spec: DagSpec): string {
  return spec.steps.map(({ id }) => `"${id}"`).join(", ");
}
