import { jsonObjectSchema, type StepResult } from "@troupe/core";
import type {
  AgentResponse,
  ArtifactRef,
  Citation,
  ErrorInfo,
  InputRequest,
  Outcome,
  StepState,
  Usage,
} from "@troupe/stream";
import { z } from "zod";

/** What a run is asked. The engine keeps it as it is; the driver reads it. */
export const runInputSchema = z.object({
  /** What the person wants from the whole run. */
  objective: z.string(),
  userId: z.string().exactOptional(),
  /** What that person may use, kept with the run so that it has no more after a restart; absent where nobody was asked. */
  scopes: z.array(z.string()).exactOptional(),
  /** `traceparent` of the call that began it: the calls of its steps stand in the same trace, after a restart too. */
  trace: z.string().exactOptional(),
  /** Collection for the steps that name none themselves. */
  collectionId: z.string().exactOptional(),
  /** The caller's own; no agent sees it. */
  metadata: jsonObjectSchema.exactOptional(),
});
export type RunInput = z.output<typeof runInputSchema>;

/** What a step ended with, as the run reports it. */
export interface StepOutcome extends StepResult {
  readonly state: StepState;
  /** Wall clock of all its attempts, waiting for a person included. */
  readonly ms: number;
  /** Why it failed or was skipped. */
  readonly reason?: string;
}

/** How a run ended. Never `input-required`: a run that waits for a person has not ended. */
export interface RunOutcome {
  readonly v: 1;
  readonly runId: string;
  readonly outcome: Exclude<Outcome, "input-required">;
  readonly response: AgentResponse;
  /** In the order of the workflow. */
  readonly steps: readonly StepOutcome[];
  /** The response's own first, under their numbers; then those of all other steps, numbered on. */
  readonly citations: readonly Citation[];
  /** Every file any step made, each with the step. */
  readonly artifacts: readonly (ArtifactRef & { readonly stepId: string })[];
  /** Of all steps and the synthesis together. */
  readonly usage: Usage;
  /** Present when the outcome is failed or canceled. */
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
}

/**
 * `planning` until it has a workflow; `input-required` while at least one step waits for a person;
 * `interrupted` when nobody drives it, and it goes on at the next start.
 */
export type RunStatus = "planning" | "running" | "interrupted" | Outcome;

/** A run as people see it, folded from its events. */
export interface RunView {
  readonly runId: string;
  /** Name of the workflow; empty while it is planned. */
  readonly name: string;
  readonly objective: string;
  /** Who began it; absent where callers have no name. */
  readonly userId?: string;
  readonly status: RunStatus;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly steps: readonly RunStepView[];
  /** What people are asked right now; answer with the signal `answerSignal(requestId)`. */
  readonly requests: readonly {
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
