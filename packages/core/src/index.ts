export { randomId } from "./adapters/new-id.ts";
export { systemClock } from "./adapters/system-clock.ts";
export { systemRandom } from "./adapters/system-random.ts";
export { AgentFactory, type AgentBuilder } from "./agent/agent-factory.ts";
export { createAgent, type Agent, type AgentDeps } from "./agent/create-agent.ts";
export { taskInputSchema, taskSchema, taskStatusSchema, type Task, type TaskStatus } from "./agent/task.ts";
export {
  askToCorrect,
  describeFinding,
  NOT_ACCEPTED,
  NOT_CHECKED,
  unverifiedError,
} from "./answer/findings-text.ts";
export { isAnnouncement } from "./answer/announcement.ts";
export { unverifiedStatements } from "./answer/unverified-statements.ts";
export {
  hasFinding,
  removeUnknownReferences,
  replaceSentences,
  sourceTexts,
  withSquareBrackets,
} from "./answer/correct-answer.ts";
export { SentenceReviews } from "./answer/sentence-reviews.ts";
export { isTooShort } from "./loop/check-answer.ts";
export { callerIn, ownerIn, type Authenticated } from "./auth/caller-in.ts";
export { agentScope, ALL_SCOPES, hasScope, narrowScopes } from "./auth/scopes.ts";
export {
  agentConfigSchema,
  answerCheckModeSchema,
  mcpServerSchema,
  parseAgentConfig,
  responseModeSchema,
  type AgentConfig,
  type AgentConfigInput,
  type McpServerConfig,
  type ResponseMode,
} from "./config/agent-config.ts";
export { policyRuleSchema, type PolicyRule } from "./config/policy-rule.ts";
export {
  costOf,
  limitPrices,
  priceSchema,
  unpricedModel,
  withCost,
  type Price,
  type Prices,
} from "./config/prices.ts";
export { allResults } from "./delegation/all-results.ts";
export {
  boundResults,
  RESULT_BOUNDS,
  type BoundedResults,
  type LeftOut,
  type ResultBounds,
} from "./delegation/bound-results.ts";
export { delegationPrompt } from "./delegation/delegation-prompt.ts";
export { readDelegationPrompt, type ReadDelegation } from "./delegation/read-delegation-prompt.ts";
export { AccessError } from "./errors/access-error.ts";
export { AgentError, type AgentErrorCode } from "./errors/agent-error.ts";
export { toErrorInfo } from "./errors/error-info.ts";
export { InputError, type InputErrorCode } from "./errors/input-error.ts";
export { ModelError, type ModelErrorCode } from "./errors/model-error.ts";
export { NetworkError, type NetworkErrorCode } from "./errors/network-error.ts";
export { ProcessError, type ProcessErrorCode } from "./errors/process-error.ts";
export { StoreError, type StoreErrorCode } from "./errors/store-error.ts";
export { ToolError, type ToolErrorCode } from "./errors/tool-error.ts";
export { isTroupeError, TroupeError, type TroupeErrorOptions } from "./errors/troupe-error.ts";
export { checkDecisions, type CheckedDecisions } from "./forms/check-decisions.ts";
export { checkFormValues, type CheckedValues } from "./forms/check-form-values.ts";
export { describeForm, describeUnreadReply, exampleValues } from "./forms/form-text.ts";
export { readFormText, type FormText } from "./forms/read-form-text.ts";
export { collectResult, type ResultCollector } from "./gateway/collect-result.ts";
export { askForWorkflow, readWorkflowResult } from "./gateway/run-workflow.ts";
export { readImageFormat, type ImageFormat, type ImageMediaType } from "./images/image-format.ts";
export {
  IMAGE_LIMITS,
  imagesOf,
  isImageFile,
  loadImages,
  type LoadedImage,
  type LoadImagesOptions,
} from "./images/load-images.ts";
export { readStoredImage } from "./images/read-stored-image.ts";
export type { AgentState, CallRecord, FinishRule, StopRule } from "./loop/agent-state.ts";
export { fittingTables } from "./loop/bound-tables.ts";
export { tableKey, withPassageOf } from "./loop/source-keys.ts";
export { givenByStep } from "./loop/given.ts";
export { chartEvidence, chartTable, tableEvidence } from "./loop/written-arguments.ts";
export { RESPONSE_FORMAT } from "./loop/conclude-response.ts";
export { finishDefinition } from "./loop/finish-tool.ts";
export { narrowLimits } from "./loop/effective-limits.ts";
export { unreadFileNotes } from "./loop/unread-files.ts";
export { runLoop } from "./loop/run-loop.ts";
export type { LoopOptions } from "./loop/run.ts";
export { usedUpLimit, withinLimits, type SharedLimit, type Spending } from "./middleware/budget.ts";
export type { Filled, Middleware, ProposedCall, RunView, Verdict } from "./middleware/middleware.ts";
export {
  connectionGate,
  connectionTimeouts,
  maxConnections,
  type ConnectionLimits,
  type ConnectionTimeouts,
} from "./net/connection-limits.ts";
export { isHeaderName, isHeaderValue } from "./net/header-text.ts";
export { isLoopback } from "./net/is-loopback.ts";
export { isUnchanged, rangeHolds, type Validators } from "./net/preconditions.ts";
export { addressKind, isPublicAddress, type AddressKind } from "./net/public-address.ts";
export { bytesAtMost, readAtMost } from "./net/read-at-most.ts";
export { webStream, type Reads } from "./net/reads.ts";
export { isSameOrigin } from "./net/same-origin.ts";
export type {
  AgentCapabilities,
  AgentDirectory,
  AgentEntry,
  AgentGateway,
  AgentProfile,
  AgentRequest,
  AgentResult,
  AgentSkill,
  CallerOptions,
  RunnableAgent,
  SendRequest,
  Turn,
} from "./ports/agent.ts";
export type {
  ArtifactExpectation,
  ArtifactMeta,
  ArtifactStore,
  ByteRange,
  FilePage,
  StoredFile,
} from "./ports/artifact-store.ts";
export type { AnswerCheck, AnswerCheckOptions, AnswerEvidence, DerivedFigure } from "./ports/answer-check.ts";
export type { Caller } from "./ports/caller.ts";
export type {
  Abridged,
  Delegation,
  EarlierContext,
  EarlierTurn,
  Limits,
  SharedContext,
  StepResult,
  UnreadFile,
} from "./ports/delegation.ts";
export type { EventLog } from "./ports/event-log.ts";
export type { Fetch } from "./ports/fetch.ts";
export { silentLog, type Log, type LogFields } from "./ports/log.ts";
export { silentMetrics, type Metrics } from "./ports/metrics.ts";
export type {
  ImageSource,
  Model,
  ModelCallOptions,
  ModelEvent,
  ModelImage,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ModelToolResult,
  StopReason,
  ToolDefinition,
} from "./ports/model.ts";
export type { ReadArtifact, ReadImage } from "./ports/read-artifact.ts";
export type { EvidenceState, KeepsWaiting, SuspendedRun, SuspendedRuns } from "./ports/suspended-runs.ts";
export type {
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolOutput,
  ChartFile,
  FileRevision,
  ToolProgress,
  OverviewRequest,
  ToolSource,
} from "./ports/tool.ts";
export type {
  ModelUsage,
  WorkflowRequest,
  WorkflowResult,
  WorkflowRunner,
  WorkflowRunnerFor,
} from "./ports/workflow-runner.ts";
export { findObjects, type FoundObject } from "./response/find-response.ts";
export { readWrittenCalls, type WrittenCalls } from "./response/written-calls.ts";
export { parseResponse, type ParsedResponse, type ParseOptions } from "./response/parse-response.ts";
export { readCorrection } from "./response/said.ts";
export type { Said } from "./response/said.ts";
export {
  delegationSchema,
  earlierContextSchema,
  unreadFileSchema,
  limitsSchema,
  sharedContextSchema,
  stepResultSchema,
} from "./schemas/delegation.ts";
export { agentEventSchema, planSchema, stepStateSchema } from "./schemas/event.ts";
export {
  answeredSchema,
  inputFormSchema,
  inputReplySchema,
  inputRequestSchema,
  replySchemaFor,
} from "./schemas/form.ts";
export { jsonObjectSchema, jsonSchema } from "./schemas/json.ts";
export { parseBounded } from "./schemas/parse-bounded.ts";
export {
  agentResponseSchema,
  artifactRefSchema,
  chartSpecSchema,
  citationSchema,
  errorInfoSchema,
  inputFieldSchema,
  MAX_CHART_ROWS,
  MAX_TABLE_ROWS,
  outcomeSchema,
  responseDataSchema,
  resultTableSchema,
  sentenceCheckSchema,
  usageSchema,
} from "./schemas/response.ts";
export { skillWords } from "./skills/skill-words.ts";
export { findSkills, skillsIndex, type SkillMatch, type SkillsIndex } from "./skills/skills-index.ts";
export { parseSuspendedRun, suspendedRunSchema } from "./schemas/suspended-run.ts";
export { memorySuspendedRuns } from "./suspend/memory-suspended-runs.ts";
export { defineTool, describeIssues, meantIssues, type ToolSpec } from "./tools/define-tool.ts";
export { clip } from "./text/clip.ts";
export { assertCollectionName } from "./text/collection-name.ts";
export { MONTH_NAMES } from "./text/month-names.ts";
export { momentText } from "./text/moment.ts";
export { editDistance, nearestNames, suggestNames } from "./text/nearest-names.ts";
export { guessLanguage } from "./text/guess-language.ts";
export { todayAt, type Today } from "./text/today.ts";
export { newTrace, nextSpan, readTrace, traceparentOf, type TraceContext } from "./trace/trace-context.ts";
export { coerceArguments } from "./tools/coerce-arguments.ts";
export {
  acceptReferences,
  inlineDefinitions,
  isReferenceTo,
  REFERENCE_KEY,
} from "./tools/accept-references.ts";
export { callArguments } from "./tools/call-arguments.ts";
export { answersInTime, boundOverview } from "./tools/read-overviews.ts";
export {
  FINISH_TOOL,
  ToolRegistry,
  type PreparedCall,
  type ToolGroup,
  type ToolRegistryOptions,
  type UnavailableSource,
} from "./tools/tool-registry.ts";
