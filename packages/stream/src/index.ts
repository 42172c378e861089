export type { ArtifactRef } from "./artifact.ts";
export type { ChartField, ChartKind, ChartRow, ChartSpec } from "./chart.ts";
export type { CheckFinding, FindingKind, SentenceCheck } from "./check.ts";
export type { Citation } from "./citation.ts";
export type { Clock } from "./clock.ts";
export {
  EVENT_VERSION,
  unreachable,
  type AgentEvent,
  type AgentEventBody,
  type AgentEventOf,
  type AgentEventType,
  type ErrorInfo,
  type EventPosition,
  type NamedResult,
  type SettledRole,
  type TextRole,
  type ToolStatus,
} from "./event.ts";
export type {
  AccessRequest,
  Answered,
  Decision,
  FieldType,
  FormValues,
  InputField,
  InputForm,
  InputReply,
  InputRequest,
  PendingCall,
} from "./form.ts";
export type { FoundBy } from "./found-by.ts";
export { isTooDeep, MAX_JSON_DEPTH, type Json, type JsonObject } from "./json.ts";
export type { Plan, PlanRevision, PlanStep, StepState } from "./plan.ts";
export {
  EMPTY_RESPONSE,
  type AgentResponse,
  type Outcome,
  type ResponseData,
  type Usage,
} from "./response.ts";
export type { ResultTable } from "./table.ts";
export { linesWithoutCode, rewriteOutsideCode } from "./text/code-blocks.ts";
export { LineBuffer, type LineBufferOptions } from "./text/line-buffer.ts";
export { replyOperation, type ReplyOperation } from "./text/reply-feed.ts";
export { UnsentTextError } from "./text/unsent-text-error.ts";
export { JsonFieldReader } from "./text/json-field-reader.ts";
export { MarkerGate, type GatePart, type GateState } from "./text/marker-gate.ts";
export {
  findReferences,
  isSourceId,
  referencedIds,
  referenceStream,
  rewriteReferences,
  type Reference,
  type ReferenceOptions,
  type ReferenceStream,
} from "./text/references.ts";
export { WordHold } from "./text/word-hold.ts";
export type {
  AgentTurnItem,
  FileItem,
  FormItem,
  MessageItem,
  PlanItem,
  StepProgress,
  ToolCallItem,
  ToolResultItem,
  TurnItemBase,
} from "./turn/items.ts";
export { continueTurn, pendingRequests } from "./turn/continue-turn.ts";
export { reduceTurn } from "./turn/reduce.ts";
export { addUsage, emptyTurn, NO_USAGE, type StepView, type TurnState } from "./turn/state.ts";
