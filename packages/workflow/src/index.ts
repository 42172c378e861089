export { createDagDriver } from "./driver/create-dag-driver.ts";
export type { DagDriverOptions } from "./driver/options.ts";
export { TELL_LIMITS, type TellLimits } from "./driver/limits/tell-limits.ts";
export type { EmbeddedEngine } from "./embedded/embedded-engine.ts";
export { openEmbeddedEngine, type EmbeddedEngineOptions } from "./embedded/engine.ts";
export type { ForgetAnswer, KeepRuns } from "./embedded/compactor.ts";
export { openEventLog, type EventLogOptions, type SqliteEventLog } from "./embedded/event-log.ts";
export { openRunRecords, type RunRecords } from "./embedded/run-records.ts";
export type { Redact, RedactAt } from "./hand-over/redact.ts";
export { E_MAIL, LONG_NUMBER, redactPatterns } from "./hand-over/redact-patterns.ts";
export { answerSignal, humanRequestId, replyRequestId } from "./engine/answer-signal.ts";
export { answerValue, readAnswer, type AnswerValue } from "./engine/answer-value.ts";
export { checkReply, type ReplyCheck } from "./engine/check-reply.ts";
export { END_KEY, endEvent, endNotKept, hasEnd } from "./engine/run-end.ts";
export { brokenRun, PLAN_LOST } from "./engine/broken-run.ts";
export { FOLDED_TYPES, foldRun, type RunRecord } from "./engine/fold-run.ts";
export {
  isRevisionRequest,
  PLAN_REQUEST,
  PLAN_TOOL,
  planHash,
  planIn,
  planRequest,
} from "./engine/plan-request.ts";
export {
  CANCEL_SIGNAL,
  type DagDriver,
  type EngineContext,
  type HostedEngine,
  type Pending,
  type ResumeAnswer,
  type Settled,
  type SignalAnswer,
  type WorkflowEngine,
} from "./engine/port.ts";
export { insistOnLog } from "./engine/insist-on-log.ts";
export type { JournalEntry, RecordedRun, Settlement } from "./engine/recorded-run.ts";
export { numberOfRuns } from "./engine/number-of-runs.ts";
export type { LoggedEvent, RunLog, RunsQuery } from "./engine/run-log.ts";
export { runRecord } from "./engine/run-record.ts";
export {
  RUN_STATUSES,
  runInputSchema,
  stepOutcomeSchema,
  type RunInput,
  type RunOutcome,
  type RunStatus,
  type RunStepView,
  type RunView,
  type StepOutcome,
} from "./engine/run.ts";
export { NamedSlots } from "./engine/named-slots.ts";
export { settleStep, type StepFunction } from "./engine/settle-step.ts";
export { toSettledError, type SettledError } from "./engine/settled-error.ts";
export { WorkflowError, type WorkflowErrorCode } from "./engine/workflow-error.ts";
export { checkAddedSteps, type AddedStepsContext } from "./planner/add-steps.ts";
export { planWorkflow, type PlanOptions, type PlannedWorkflow } from "./planner/plan-workflow.ts";
export { joinAnswers, synthesize, type Synthesis, type SynthesizeOptions } from "./planner/synthesize.ts";
export { describeRun, type KnownOfRun } from "./runs/describe-run.ts";
export type { GivenResult, RunDetail, RunQuestion, StepAttempt, StepDetail } from "./runs/run-detail.ts";
export { eventsSoFar } from "./engine/events-so-far.ts";
export type { Scrub } from "./runs/clean-json.ts";
export { exportRun, type ExportedRun } from "./runs/export-run.ts";
export { outcomeOnRecord } from "./runs/outcome-on-record.ts";
export { replayRun, type ReplayDifference, type ReplayReport } from "./runs/replay-run.ts";
export { MAX_EXPORT_BYTES, parseRunExport, runExportSchema, type RunExport } from "./runs/run-export.ts";
export { ranSpec, retryInput, type EndedRun } from "./runs/retry-input.ts";
export type { CallUsage, UsageDetail } from "./runs/usage-detail.ts";
export { earlierContext } from "./thread/earlier-context.ts";
export { numberTurns, type ThreadQuery } from "./thread/number-turns.ts";
export { readThread, type ReadThread, type ThreadSource } from "./thread/read-thread.ts";
export type { Thread, ThreadStep, ThreadTurn } from "./thread/thread.ts";
export { assertWorkflow, normalizeWorkflow } from "./schema/normalize.ts";
export { MAX_WORKFLOW_CHARS, parseWorkflow, parseWorkflowValue, type ParseOptions } from "./schema/parse.ts";
export { printWorkflow } from "./schema/print.ts";
export { answerStepOf, sinksOf, type DagSpec, type DagStep } from "./schema/spec.ts";
export { describeIssue, validateWorkflow, type WorkflowIssue, type WorkflowRule } from "./schema/validate.ts";
export {
  MAX_REPLANS,
  MAX_STEPS,
  workflowSchema,
  type Workflow,
  type WorkflowInput,
  type WorkflowOrSteps,
  type WorkflowStep,
} from "./schema/workflow-schema.ts";
