import type {
  Answered,
  ArtifactRef,
  ChartSpec,
  Citation,
  InputRequest,
  Json,
  Outcome,
  SentenceCheck,
  ResultTable,
} from "@troupe/stream";

import type { RunStepView, RunView } from "../engine/run.ts";
import type { CallUsage, UsageDetail } from "./usage-detail.ts";

// Times are milliseconds since the Unix epoch.

/** One try of a step; the first has no reason. */
export interface StepAttempt {
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Why it was tried again. */
  readonly reason?: string;
}

/** What a step was handed by one it depends on, or of an earlier run of the conversation. */
export interface GivenResult {
  /** Its id, or a name such as `turn1.research`. */
  readonly step: string;
  /** Empty for a person. */
  readonly agent: string;
  readonly outcome: Outcome | "skipped";
  readonly characters: number;
  /** Names of the files that came along. */
  readonly files: readonly string[];
}

export interface StepDetail extends RunStepView {
  readonly instruction: string;
  /** Reason for adding it after the first plan had ended; absent for a step of the first plan. */
  readonly addedFor?: string;
  /** The run that found its result, where it was not this one. */
  readonly keptFrom?: string;
  readonly attempts: readonly StepAttempt[];
  /** Wall clock of all its attempts, waiting for a person included; present once it has ended. */
  readonly ms?: number;
  /** The task at the agent. */
  readonly taskId?: string;
  /** Present once it was begun. */
  readonly given?: readonly GivenResult[];
  readonly answer: string;
  readonly citations: number;
  readonly artifacts: readonly ArtifactRef[];
  /** With what its agent had others do; of a kept result what it took in the run that found it. */
  readonly usage: UsageDetail;
  /** Those others. Their usage is part of the step's. */
  readonly calls: readonly CallUsage[];
}

/** What a person was asked. */
export interface RunQuestion {
  /** Empty where the run asked for its plan. */
  readonly step: string;
  readonly request: InputRequest;
  readonly askedAt: number;
  /** `withdrawn`: the step ended without an answer. */
  readonly state: "open" | "answered" | "withdrawn";
  /** Who answered, when and how. */
  readonly answered?: Answered;
  /** As it was given: a reply with values or decisions. Absent where the engine does not tell. */
  readonly answer?: Json;
}

/** Everything that is known of a run, for people and as `show --json`. */
export interface RunDetail {
  readonly v: 1;
  readonly run: Omit<RunView, "steps" | "requests">;
  /** The run that this one does again in part. */
  readonly retryOf?: string;
  readonly collectionId?: string;
  /** In the order of the workflow. */
  readonly steps: readonly StepDetail[];
  readonly questions: readonly RunQuestion[];
  /** Of the model that wrote the plan; absent where none did. */
  readonly planning?: UsageDetail;
  /** Of the answer that was written from the steps' results; absent where none was. */
  readonly synthesis?: UsageDetail;
  /** Of its planning, the steps this run ran and its answer; once it has ended the same as `usage` of its outcome. */
  readonly usage: UsageDetail;
  /** Empty until it has ended, and where there is none. */
  readonly answer: string;
  readonly citations: readonly Citation[];
  /** The claims of the answer; absent where nothing was checked. */
  readonly checks?: readonly SentenceCheck[];
  /** Of the answer, without their rows. */
  readonly charts: readonly Omit<ChartSpec, "rows">[];
  /** Of the answer, without their rows; those that it cites have a `number`. */
  readonly tables: readonly Omit<ResultTable, "rows">[];
  readonly artifacts: readonly (ArtifactRef & { readonly stepId: string })[];
  /** How many events its log has so far: the position after the last. */
  readonly events: number;
}
