import type { InputRequest, Json, Usage } from "@troupe/stream";

import type { TraceContext } from "../trace/trace-context.ts";
import type { Caller } from "./caller.ts";
import type { Limits, StepResult } from "./delegation.ts";

/** A workflow that an agent starts while it works. */
export interface WorkflowRequest {
  /** As `metadata.workflow` of a message to the orchestrator: an object, a list of steps, or either as YAML or JSON text. */
  readonly workflow: Json;
  readonly task: string;
  readonly collectionId?: string;
  /** How many workflows started by agents enclose its steps, this one included. */
  readonly depth: number;
  /** What the calling run may still use. */
  readonly limits?: Pick<Limits, "maxTotalTokens" | "maxCostUsd">;
}

export interface ModelUsage {
  readonly model: string;
  readonly usage: Usage;
}

/** With `input-required` a person was asked; the run is canceled by then. */
export type WorkflowResult = Omit<StepResult, "stepId" | "agent" | "provenance" | "usage"> & {
  readonly request?: InputRequest;
  readonly usage: readonly ModelUsage[];
};

/** Runs workflows in the name of the person that the calling agent works for. */
export interface WorkflowRunner {
  /** Resolves when the run has ended, whatever its outcome. Aborting the signal cancels the run. */
  run(request: WorkflowRequest, options: { readonly signal: AbortSignal }): Promise<WorkflowResult>;
}

/** Makes a runner for one task of an agent, in the name of the person that the task is for. */
export type WorkflowRunnerFor = (by: {
  readonly caller?: Caller;
  readonly trace?: TraceContext;
  readonly userId?: string;
}) => WorkflowRunner;
