import type { AgentGateway, AnswerCheck, ArtifactStore, EventLog, Log, Model, Prices } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { RunLog } from "../engine/run-log.ts";
import type { RunInput } from "../engine/run.ts";
import type { Redact } from "../hand-over/redact.ts";
import type { ReplanTeam } from "../planner/add-steps.ts";
import type { DagSpec } from "../schema/spec.ts";
import type { Workflow } from "../schema/workflow-schema.ts";
import type { TellLimits } from "./limits/tell-limits.ts";
import type { ToldText } from "./steps/told-text.ts";

/** Services for checking steps that are added to a run. Called in step functions only. */
export interface ReplanServices {
  /** The current agents that the user of the run may use. */
  readonly team: (input: RunInput) => Promise<ReplanTeam>;
  /** The spec of a workflow that extends the plan `before`. Throws an `InputError` if it may not run. */
  readonly normalize: (workflow: Workflow, before: DagSpec) => DagSpec | Promise<DagSpec>;
}

export interface DagDriverOptions {
  readonly gateway: AgentGateway;
  /**
   * Where the events of the agents go; the engine's own, so that a run has one log. Without `end` the text
   * of an agent that is joined again after a crash may stand there twice.
   */
  readonly eventLog: EventLog & Partial<Pick<RunLog, "end">>;
  /**
   * Applied to every text an agent is sent, beforehand and at every attempt. It has to give the same for the
   * same. Where it throws, the step fails (`workflow.redaction-failed`) and nothing is sent.
   */
  readonly redact?: Redact;
  /** Keeps the whole of results that are too large to be handed over; without it only their beginning is there. */
  readonly files?: ArtifactStore;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Writes the answer of `final: synthesize`; without one the steps' answers are joined under headings. */
  readonly model?: Model;
  /** What the model costs, for a run with a limit in dollars; it is not asked there without. */
  readonly prices?: Prices;
  /** Compares the answer of `final: synthesize` with what the steps found; it is not checked without. */
  readonly answerCheck?: AnswerCheck;
  /** Whether the model reviews what the rules of that check let pass. False by default. */
  readonly answerReview?: boolean;
  /** Checks steps that the model adds where a spec has `maxReplans`; none are added without. */
  readonly replan?: ReplanServices;
  /** Name the run's own events carry; `orchestrator` by default. */
  readonly agent?: string;
  /** What a step may tell; see `TELL_LIMITS`. */
  readonly tellLimits?: TellLimits;
  /** Characters of the JSON of an outcome; a run that ends with more fails. 256 Mi by default. */
  readonly outcomeChars?: number;
  /** Names text items; random by default. */
  readonly newId?: () => string;
}

export type DriverServices = Required<
  Omit<DagDriverOptions, "model" | "redact" | "files" | "answerCheck" | "answerReview" | "replan">
> &
  Pick<DagDriverOptions, "model" | "answerCheck" | "answerReview" | "replan"> & {
    /** When this process began to drive runs; every run before that was cut off until then. For step functions only. */
    readonly since: number;
    /** What the run's log had when this pass of it first asked. For step functions only. */
    readonly told: (signal: AbortSignal) => Promise<ToldText>;
  };
