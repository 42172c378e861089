export { systemClock } from "./adapters/system-clock.ts";
export { AgentError, type AgentErrorCode } from "./errors/agent-error.ts";
export { InputError, type InputErrorCode } from "./errors/input-error.ts";
export { ModelError, type ModelErrorCode } from "./errors/model-error.ts";
export { StoreError, type StoreErrorCode } from "./errors/store-error.ts";
export { ToolError, type ToolErrorCode } from "./errors/tool-error.ts";
export { isTroupeError, TroupeError, type TroupeErrorOptions } from "./errors/troupe-error.ts";
export type {
  AgentDirectory,
  AgentEntry,
  AgentGateway,
  AgentProfile,
  AgentRequest,
  AgentResult,
  AgentSkill,
  RunnableAgent,
  SendRequest,
  Turn,
} from "./ports/agent.ts";
export type { ArtifactMeta, ArtifactStore } from "./ports/artifact-store.ts";
export type { Delegation, Limits, SharedContext, StepResult } from "./ports/delegation.ts";
export type { EventLog } from "./ports/event-log.ts";
export { silentLog, type Log, type LogFields } from "./ports/log.ts";
export type {
  Model,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ModelToolResult,
  StopReason,
  ToolDefinition,
} from "./ports/model.ts";
export type { Tool, ToolContext, ToolOutput, ToolSource } from "./ports/tool.ts";
export {
  delegationSchema,
  limitsSchema,
  sharedContextSchema,
  stepResultSchema,
} from "./schemas/delegation.ts";
export { agentEventSchema, planSchema, stepStateSchema } from "./schemas/event.ts";
export { inputFormSchema, inputReplySchema, inputRequestSchema } from "./schemas/form.ts";
export { jsonObjectSchema, jsonSchema } from "./schemas/json.ts";
export {
  agentResponseSchema,
  artifactRefSchema,
  chartSpecSchema,
  citationSchema,
  errorInfoSchema,
  inputFieldSchema,
  MAX_CHART_ROWS,
  outcomeSchema,
  responseDataSchema,
  usageSchema,
} from "./schemas/response.ts";
export { defineTool, describeIssues, type ToolSpec } from "./tools/define-tool.ts";
