import type { StepState } from "@troupe/stream";

/**
 * The rules of DESIGN.md as data: the tables there are these, and a test compares them. Nothing of the
 * driver is used here, so that both can be held against each other.
 */

/** When a step may go from one state to another; the text stands in DESIGN.md. */
export const WHEN = {
  ready: "an agent's: what it depends on has ended and lets it run, and a place is free",
  asksFirst: "a person's: what it depends on has ended and lets it run",
  cannotRun: "what it depends on does not let it run, or nothing starts any more",
  kept: "its result is kept from an earlier run",
  endedWell: "its agent ended so",
  failed: "its agent failed, and it is not tried again; or the run's deadline passed",
  asks: "its agent asks",
  answered: "an agent's: it was answered, and a place is free",
  personAnswered: "a person's: it was answered",
  badAnswer: "the answer cannot be used, or none came in time",
  canceled: "the run was canceled",
  agentCanceled: "the run was canceled, or its agent ended so",
} as const;

export type When = keyof typeof WHEN;

export interface StepRule {
  readonly from: StepState;
  readonly to: StepState;
  readonly when: When;
}

export const STEP_RULES: readonly StepRule[] = [
  { from: "pending", to: "in_progress", when: "ready" },
  { from: "pending", to: "input_required", when: "asksFirst" },
  { from: "pending", to: "skipped", when: "cannotRun" },
  { from: "pending", to: "completed", when: "kept" },
  { from: "pending", to: "partial", when: "kept" },
  { from: "pending", to: "canceled", when: "canceled" },
  { from: "in_progress", to: "completed", when: "endedWell" },
  { from: "in_progress", to: "partial", when: "endedWell" },
  { from: "in_progress", to: "failed", when: "failed" },
  { from: "in_progress", to: "input_required", when: "asks" },
  { from: "in_progress", to: "canceled", when: "agentCanceled" },
  { from: "input_required", to: "in_progress", when: "answered" },
  { from: "input_required", to: "completed", when: "personAnswered" },
  { from: "input_required", to: "failed", when: "badAnswer" },
  { from: "input_required", to: "canceled", when: "canceled" },
];

/** What a run ends as; the first that is so. */
export const RUN_RULES = [
  { end: "canceled", when: "a cancel was taken before the end" },
  { end: "completed", when: "every step is completed, and it has an answer" },
  { end: "partial", when: "it has an answer, or what agents found in its place" },
  { end: "failed", when: "neither" },
] as const;

export type RunEnd = (typeof RUN_RULES)[number]["end"];
