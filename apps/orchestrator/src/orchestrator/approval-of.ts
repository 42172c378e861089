import type { Json } from "@troupe/stream";
import type { Workflow } from "@troupe/workflow";

/** How a run asks for its plan: the workflow as it is written, for as long as its other questions may be answered. */
export function approvalOf(workflow: Workflow, questionsExpireMs: number | undefined): Json {
  const { expires_seconds: seconds } = workflow;
  const expiresMs = seconds === undefined ? questionsExpireMs : Math.round(seconds * 1_000);
  return {
    workflow: JSON.parse(JSON.stringify(workflow)) as Json,
    ...(expiresMs === undefined ? {} : { expiresMs }),
  };
}
