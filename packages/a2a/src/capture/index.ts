export { captureAgent, type CaptureOptions } from "./capture-agent.ts";
export { captureLine, readCaptureLine } from "./capture-line.ts";
export {
  isEnd,
  isHeader,
  type Binding,
  type CapturedEvent,
  type CaptureEnd,
  type CaptureEnding,
  type CaptureHeader,
  type CaptureRecord,
} from "./capture-record.ts";
export { createSseReader, type SseFrame, type SseReader } from "./sse-reader.ts";
export type { TraceAnswer } from "../trace/answer.ts";
export type { TraceArtifact } from "../trace/artifacts.ts";
export {
  broken,
  compareTraces,
  gradualShare,
  type ArtifactSummary,
  type ComparedFigure,
  type ComparedTrace,
  type Comparison,
} from "../trace/compare-traces.ts";
export { createTracer, type Tracer } from "../trace/create-tracer.ts";
export type { TracePlanStep } from "../trace/plan.ts";
export type { Trace, TraceOutcome, TracePoint, TraceSilence } from "../trace/trace.ts";
export { OutcomeReader, type CaptureProgress } from "../trace/outcome.ts";
