import { InputError, type AgentRequest } from "@troupe/core";
import type { WorkflowInput } from "@troupe/workflow";

/** What a message asks of the orchestrator beside its words. */
export interface RequestMetadata {
  /** The run to join. */
  readonly runId?: string;
  /** Answer with the plan, and run nothing. */
  readonly planOnly: boolean;
  /** The workflow to run instead of a plan; not checked yet. */
  readonly workflow?: WorkflowInput;
}

/** Ids of runs are far shorter. */
const MAX_ID = 200;

/**
 * Reads `run_id`, `plan_only` and `workflow`; null is as good as none. Throws an `InputError` where one is
 * of another kind: whoever says `"plan_only": "yes"` does not want to see everything run.
 */
export function readMetadata(metadata: AgentRequest["metadata"] = {}): RequestMetadata {
  const { run_id: runId, plan_only: planOnly, workflow } = metadata;
  const quoted = (value: unknown): string => JSON.stringify(value).slice(0, 80);
  if (runId != null && (typeof runId !== "string" || runId.length > MAX_ID))
    throw new InputError(
      "input.invalid",
      `metadata.run_id must be the id of a run, a string of at most ${MAX_ID} characters, not ${quoted(runId)}.`,
    );
  if (planOnly != null && typeof planOnly !== "boolean")
    throw new InputError(
      "input.invalid",
      `metadata.plan_only must be true or false, not ${quoted(planOnly)}.`,
    );
  return {
    planOnly: planOnly === true,
    ...(typeof runId === "string" ? { runId } : {}),
    ...(workflow == null ? {} : { workflow: workflow as WorkflowInput }),
  };
}
