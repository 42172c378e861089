export { createDagDriver } from "./driver/create-dag-driver.ts";
export type { DagDriverOptions } from "./driver/options.ts";
export { openEmbeddedEngine, type EmbeddedEngine, type EmbeddedEngineOptions } from "./embedded/engine.ts";
export { openEventLog, type EventLogOptions, type SqliteEventLog } from "./embedded/event-log.ts";
export { answerSignal, humanRequestId, replyRequestId } from "./engine/answer-signal.ts";
export { checkReply, type ReplyCheck } from "./engine/check-reply.ts";
export { PLAN_LOST } from "./engine/broken-run.ts";
export { FOLDED_TYPES, foldRun, type RunRecord } from "./engine/fold-run.ts";
export {
  CANCEL_SIGNAL,
  type DagDriver,
  type EngineContext,
  type Pending,
  type Settled,
  type SettledError,
  type SignalAnswer,
  type WorkflowEngine,
} from "./engine/port.ts";
export type { RunLog, RunsQuery } from "./engine/run-log.ts";
export {
  runInputSchema,
  type RunInput,
  type RunOutcome,
  type RunStatus,
  type RunStepView,
  type RunView,
  type StepOutcome,
} from "./engine/run.ts";
export { toSettledError } from "./engine/settled-error.ts";
export { WorkflowError, type WorkflowErrorCode } from "./engine/workflow-error.ts";
export { planByRules } from "./planner/plan-by-rules.ts";
export { planWorkflow, type PlanOptions, type PlannedWorkflow } from "./planner/plan-workflow.ts";
export {
  orchestratorPlaybook,
  plannerPlaybook,
  synthesisPlaybook,
  type PlaybookMove,
  type PlaybookPolicy,
} from "./planner/playbooks.ts";
export { joinAnswers, synthesize, type Synthesis, type SynthesizeOptions } from "./planner/synthesize.ts";
export { assertWorkflow, describeIssue, normalizeWorkflow } from "./schema/normalize.ts";
export { MAX_WORKFLOW_CHARS, parseWorkflow, type ParseOptions } from "./schema/parse.ts";
export { answerStepOf, sinksOf, type DagSpec, type DagStep } from "./schema/spec.ts";
export { validateWorkflow, type WorkflowIssue, type WorkflowRule } from "./schema/validate.ts";
export {
  MAX_STEPS,
  workflowSchema,
  type Workflow,
  type WorkflowInput,
  type WorkflowStep,
} from "./schema/workflow-schema.ts";
