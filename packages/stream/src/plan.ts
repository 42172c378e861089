import type { Answered, InputForm } from "./form.ts";

export type StepState =
  | "pending"
  | "in_progress"
  | "completed"
  | "partial"
  | "failed"
  | "skipped"
  | "canceled"
  | "input_required";

/** A step of a plan as people see it. */
export interface PlanStep {
  readonly id: string;
  readonly kind: "agent" | "human";
  /** Name of the agent, empty for a human step. */
  readonly agent: string;
  readonly instruction: string;
  readonly dependsOn: readonly string[];
  /** What a human step asks; it can be answered before its turn. */
  readonly form?: InputForm;
  /** Results of earlier runs of the conversation that it builds on, such as `turn1.research`. */
  readonly earlier?: readonly string[];
}

/** Steps that were added to a plan after the steps before had ended. */
export interface PlanRevision {
  /** Why the model that writes the answer asked for them. */
  readonly reason: string;
  /** Ids of the added steps; empty where a person refused them. */
  readonly steps: readonly string[];
  /** The person's approval; absent if no person was asked. */
  readonly approval?: Answered;
  /** Why they were not added: a person rejected them, or did not answer in time. */
  readonly refused?: string;
}

export interface Plan {
  readonly name: string;
  readonly steps: readonly PlanStep[];
  /** The step whose answer is passed through as the run's own; absent when one is written from all of them. */
  readonly answerStep?: string;
  /** The person's word with which it runs; absent where nobody is asked, and until it is given. */
  readonly approval?: Answered;
  /** What was added to it, in order; absent where nothing was. */
  readonly revisions?: readonly PlanRevision[];
}
