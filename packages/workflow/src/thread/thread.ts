import type { StepResult } from "@troupe/core";

import type { RunStatus } from "../engine/run.ts";

/** A step of an earlier run of a conversation. */
export interface ThreadStep {
  /** `turn1.research`; what a later step calls it in `earlier`. */
  readonly name: string;
  readonly id: string;
  readonly kind: "agent" | "human";
  /** Empty for a human step. */
  readonly agent: string;
  readonly instruction: string;
  readonly dependsOn: readonly string[];
  /** What it built on itself, by name. */
  readonly earlier: readonly string[];
  /** What it found; absent where it found nothing that can be built upon. Its `stepId` is the name. */
  readonly result?: StepResult;
}

/** An earlier run of a conversation. */
export interface ThreadTurn {
  /** From 1, in the order in which they were begun. It stays the same when runs before it are forgotten. */
  readonly turn: number;
  readonly runId: string;
  /** The person's words. */
  readonly asked: string;
  readonly status: RunStatus;
  /** Why it failed, was canceled or is interrupted. */
  readonly reason?: string;
  /** Of its answer, where it has one. */
  readonly answer: string;
  /** The step whose answer was passed through as the run's. */
  readonly answerStep?: string;
  /** None where it was never planned, or is too long ago. */
  readonly steps: readonly ThreadStep[];
  readonly collectionId?: string;
}

/** Oldest first. */
export type Thread = readonly ThreadTurn[];
