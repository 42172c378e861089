import type { CaptureEnding, CaptureHeader } from "../capture/capture-record.ts";
import type { ArtifactViolation } from "../wire/artifact-checker.ts";
import type { TraceAnswer } from "./answer.ts";
import type { TraceArtifact } from "./artifacts.ts";
import type { TracePlanStep } from "./plan.ts";

/** What a capture amounts to. All times are milliseconds since the request was sent; null: never. */
export interface Trace {
  readonly v: 1;
  readonly kind: "a2a-trace";
  /** Null where the capture has lost its first line. */
  readonly of: CaptureHeader | null;
  /** How the answer came: as a stream, by a call that waits, or by looking again. */
  readonly delivery: "stream" | "send" | "poll";
  readonly events: number;
  /** Of all events as they arrived, without the framing of the stream. */
  readonly bytes: number;
  /** Events that were cut, and such as are not A2A. */
  readonly cut: number;
  readonly unreadable: number;
  readonly firstEvent: number | null;
  /** Of any role. */
  readonly firstText: number | null;
  readonly firstNarration: number | null;
  /** First piece of what turned out to be the answer; null where the agent does not tell it apart. */
  readonly firstAnswer: number | null;
  readonly firstTool: { readonly t: number; readonly name: string } | null;
  readonly tools: number;
  /** When the task came to rest; where it did not, when the stream ended. */
  readonly end: number | null;
  readonly outcome: TraceOutcome;
  /** How the connection ended; null where the capture was killed. */
  readonly ending: CaptureEnding | null;
  /** What the agent or the connection gave as the reason. */
  readonly error: string;
  readonly longestSilence: TraceSilence | null;
  readonly answer: TraceAnswer;
  readonly artifacts: readonly TraceArtifact[];
  readonly plan: readonly TracePlanStep[];
  /** Rules of the artifact stream that were broken; artifacts left open among them. */
  readonly violations: readonly ArtifactViolation[];
}

export type TraceOutcome =
  | "completed"
  | "partial"
  | "failed"
  | "canceled"
  | "rejected"
  | "input-required"
  | "auth-required"
  /** The task never came to rest. */
  | "unfinished";

export interface TraceSilence {
  readonly ms: number;
  readonly from: TracePoint;
  readonly to: TracePoint;
}

export interface TracePoint {
  readonly t: number;
  /** `request`, `end`, or what the event was. */
  readonly what: string;
}
