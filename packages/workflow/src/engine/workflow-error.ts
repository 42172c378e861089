import { TroupeError, type TroupeErrorOptions } from "@troupe/core";

export type WorkflowErrorCode =
  /** The planner's answer was no valid workflow, also after one repair. */
  | "workflow.plan-invalid"
  /** No agent fits the task; the message says why. */
  | "workflow.no-agent"
  /** The journal does not fit the driver that replays it. */
  | "workflow.journal-mismatch"
  /** The process ended while it planned the run. */
  | "workflow.plan-lost"
  /** What an agent was to be sent could not be redacted, so it was not sent. */
  | "workflow.redaction-failed"
  /** The results of a run are more than it may hold together. */
  | "workflow.too-large"
  /** The engine was closed. */
  | "workflow.closed"
  | "workflow.internal";

/** A plan that cannot be made, or a run that cannot go on. */
export class WorkflowError extends TroupeError {
  declare readonly code: WorkflowErrorCode;

  constructor(code: WorkflowErrorCode, message: string, options: TroupeErrorOptions = {}) {
    super(code, message, options);
  }
}
