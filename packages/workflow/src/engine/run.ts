import {
  answeredSchema,
  artifactRefSchema,
  earlierContextSchema,
  jsonObjectSchema,
  stepResultSchema,
  stepStateSchema,
  unreadFileSchema,
  usageSchema,
  type StepResult,
} from "@troupe/core";
import type {
  AgentResponse,
  Answered,
  ArtifactRef,
  Citation,
  ErrorInfo,
  InputForm,
  InputRequest,
  Outcome,
  StepState,
  Usage,
} from "@troupe/stream";
import { z } from "zod";

import type { DagSpec, DagStep } from "../schema/spec.ts";

/** What a step ended with, as the run reports it. */
export interface StepOutcome extends StepResult {
  readonly state: StepState;
  /** Wall clock of all its attempts, waiting for a person included. */
  readonly ms: number;
  /** Why it failed or was skipped. */
  readonly reason?: string;
  /** Who answered what it asked, in that order; absent where nobody did. */
  readonly answers?: readonly Answered[];
  /** The run that found this result, where it was not this one; its usage is that run's, and counts for none other. */
  readonly keptFrom?: string;
}

export const stepOutcomeSchema: z.ZodType<StepOutcome> = stepResultSchema.extend({
  state: stepStateSchema,
  ms: z.number().nonnegative(),
  reason: z.string().exactOptional(),
  answers: z.array(answeredSchema).exactOptional(),
  keptFrom: z.string().exactOptional(),
});

/** What a run is asked. The engine keeps it as it is; the driver reads it. */
export const runInputSchema = z.object({
  /** What the person wants from the whole run. */
  objective: z.string(),
  userId: z.string().exactOptional(),
  /** What that person may use, kept with the run so that it has no more after a restart; absent where nobody was asked. */
  scopes: z.array(z.string()).exactOptional(),
  /** `traceparent` of the call that began it: the calls of its steps stand in the same trace, after a restart too. */
  trace: z.string().exactOptional(),
  /** The conversation it is a turn of; its earlier runs may be built upon. */
  threadId: z.string().exactOptional(),
  /** Its number in that, from 1: `turn2.deck` is the deck of the run with a 2. Absent in runs of earlier versions. */
  turn: z.int().positive().exactOptional(),
  /** What its steps are handed of those, kept with the run: it does not change whatever becomes of them. */
  earlier: earlierContextSchema.exactOptional(),
  /** Files that came with the request by an address, and were not read. */
  unreadFiles: z.array(unreadFileSchema).exactOptional(),
  /** Images that came with the request; every step of an agent is handed them. */
  images: z.array(artifactRefSchema).exactOptional(),
  /** Collection for the steps that name none themselves. */
  collectionId: z.string().exactOptional(),
  /** How many workflows started by agents it is in, itself included; absent where a person began it. */
  depth: z.int().nonnegative().exactOptional(),
  /** The caller's own; no agent sees it. */
  metadata: jsonObjectSchema.exactOptional(),
  /** The run that this one does again in part. */
  retryOf: z.string().exactOptional(),
  /** What steps of an earlier run ended with, by step id: they are not run again, their results are taken as they are. */
  kept: z.record(z.string(), stepOutcomeSchema).exactOptional(),
  /** What it took to plan it, which is part of what the run took. */
  planning: z.object({ model: z.string(), usage: usageSchema }).exactOptional(),
  /** Its plan waits for a person's word: the workflow as people write it, and how long they may say it. */
  approval: z
    .object({
      workflow: jsonObjectSchema,
      expiresMs: z.number().positive().exactOptional(),
      /** The run being retried had this approval, so only added steps need one. */
      given: z.literal(true).exactOptional(),
    })
    .exactOptional(),
});
export type RunInput = z.output<typeof runInputSchema>;

/** Steps that the model asked for, instead of answering, after all earlier steps had ended. */
export interface Revision {
  readonly reason: string;
  /** As they ran; empty where a person refused them. */
  readonly steps: readonly DagStep[];
  /** Present where a person was asked and approved them. */
  readonly approved?: Answered;
  /** Why they were not added. */
  readonly refused?: string;
}

/** How a run ended. Never `input-required`: a run that waits for a person has not ended. */
export interface RunOutcome {
  readonly v: 1;
  readonly runId: string;
  readonly outcome: Exclude<Outcome, "input-required">;
  readonly response: AgentResponse;
  /** In the order of the workflow. */
  readonly steps: readonly StepOutcome[];
  /** Steps whose output the response was made from; absent where there is none, and in runs of earlier versions. */
  readonly answerFrom?: readonly string[];
  /** The response's own first, under their numbers; then those of all other steps, numbered on. */
  readonly citations: readonly Citation[];
  /** Every file any step made, each with the step. */
  readonly artifacts: readonly (ArtifactRef & { readonly stepId: string })[];
  /** Of the planning, all steps this run ran and the synthesis together. */
  readonly usage: Usage;
  /** The plan that a person approved, by its `planHash`; what ran is this one. */
  readonly plan?: {
    readonly hash: string;
    readonly approved: Answered;
    /** Where it is another than the run was begun with. */
    readonly spec?: DagSpec;
  };
  /** Revisions of the plan, in order; absent without any. */
  readonly revisions?: readonly Revision[];
  /**
   * Present when the outcome is failed or canceled, the run's own bound ended it (`workflow.deadline`,
   * `workflow.budget`), or claims of its answer could not be verified (`agent.unverified`).
   */
  readonly error?: ErrorInfo;
}

export interface RunStepView {
  readonly id: string;
  readonly kind: "agent" | "human";
  /** Empty for a human step. */
  readonly agent: string;
  readonly dependsOn: readonly string[];
  readonly state: StepState;
  readonly reason?: string;
  /** What a human step asks, or will ask. */
  readonly form?: InputForm;
  /** Who answered what it asked, in that order. */
  readonly answers?: readonly Answered[];
}

/**
 * `planning` until it has a workflow; `input-required` while at least one step waits for a person;
 * `interrupted` when nobody drives it, and it goes on at the next start.
 */
export type RunStatus = "planning" | "running" | "interrupted" | Outcome;

export const RUN_STATUSES = [
  "planning",
  "running",
  "interrupted",
  "input-required",
  "completed",
  "partial",
  "failed",
  "canceled",
] as const satisfies readonly RunStatus[];

/** A run as people see it, folded from its events. */
export interface RunView {
  readonly runId: string;
  /** Name of the workflow; empty while it is planned. */
  readonly name: string;
  readonly objective: string;
  /** Who began it; absent where callers have no name. */
  readonly userId?: string;
  /** The conversation it is a turn of. */
  readonly threadId?: string;
  readonly status: RunStatus;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly endedAt?: number;
  /** When it was taken in from another home, to be looked at; absent where it ran. */
  readonly importedAt?: number;
  readonly steps: readonly RunStepView[];
  /** The word with which its plan runs, where a person was asked. */
  readonly approval?: Answered;
  /** What people are asked right now; answer with the signal `answerSignal(requestId)`. */
  readonly requests: readonly {
    /** Empty where the run itself asks, for its plan. */
    readonly step: string;
    readonly request: InputRequest;
    /** Of the event that asked. */
    readonly attempt: number;
  }[];
  /** Present once the run has ended. */
  readonly outcome?: Outcome;
  /** Why it failed, was canceled or is interrupted. */
  readonly reason?: string;
}
