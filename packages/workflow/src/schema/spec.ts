import type { Limits } from "@troupe/core";
import type { InputForm, JsonObject } from "@troupe/stream";

/** A step with everything decided: what the driver runs. */
export interface DagStep {
  readonly id: string;
  readonly kind: "agent" | "human";
  /** Empty for a human step. */
  readonly agent: string;
  readonly instruction: string;
  readonly dependsOn: readonly string[];
  /** Results of earlier runs of the conversation it is handed too, by name; they stand in the run's input. */
  readonly earlier?: readonly string[];
  readonly expectedOutput: string;
  /** JSON Schema that a completed answer fits. */
  readonly outputSchema?: JsonObject;
  readonly allowedTools: readonly string[];
  /** `timeoutMs` is always set: the step's own timeout, handed on to the agent as its budget. */
  readonly limits: Limits & { readonly timeoutMs: number };
  /** The timeout is the deployment's default: the workflow does not set one. */
  readonly timeoutByDefault?: true;
  readonly collection?: string;
  readonly retry: { readonly attempts: number; readonly backoffMs: number };
  readonly onFailure: "fail" | "skip" | "continue";
  /** Present exactly when `kind` is `human`. */
  readonly form?: InputForm;
  /** How long each of its questions may be answered; for ever when absent. */
  readonly expiresMs?: number;
  /** `default`: the form's own values are taken when nobody answered in time; the step fails when absent. */
  readonly onExpiry?: "default";
}

/** A normalized workflow. Plain JSON, kept in the journal with the run it belongs to. */
export interface DagSpec {
  readonly v: 1;
  readonly name: string;
  readonly steps: readonly DagStep[];
  /** Steps that may run at once; absent means no bound. */
  readonly maxParallel?: number;
  readonly final: "passthrough" | "synthesize";
  /** How often the model that writes the answer may add steps; absent means never. Only with `synthesize`. */
  readonly maxReplans?: number;
  /** Wall clock from its beginning to its end, people who are waited for included; absent means no bound. */
  readonly deadlineMs?: number;
  /** What all its steps together may use, and writing the answer; absent means no bound. */
  readonly limits?: Pick<Limits, "maxTotalTokens" | "maxCostUsd">;
}

interface Node {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/** Steps that nobody depends on, in order. */
export function sinksOf<T extends Node>(steps: readonly T[]): readonly T[] {
  const needed = new Set(steps.flatMap((step) => step.dependsOn));
  return steps.filter((step) => !needed.has(step.id));
}

/** The step whose answer is the run's answer, when the workflow passes one through. */
export function answerStepOf(spec: DagSpec): string | undefined {
  return spec.final === "passthrough" ? sinksOf(spec.steps)[0]?.id : undefined;
}

/** One cycle as the ids along it, first and last the same, or undefined. */
export function findCycle(steps: readonly Node[]): readonly string[] | undefined {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (id: string): readonly string[] | undefined => {
    if (done.has(id)) return undefined;
    const at = path.indexOf(id);
    if (at !== -1) return [...path.slice(at), id];
    path.push(id);
    for (const next of byId.get(id)?.dependsOn ?? []) {
      const cycle = byId.has(next) ? visit(next) : undefined;
      if (cycle) return cycle;
    }
    path.pop();
    done.add(id);
    return undefined;
  };

  for (const step of steps) {
    const cycle = visit(step.id);
    if (cycle) return cycle;
  }
  return undefined;
}
