import {
  EVENT_VERSION,
  type AgentEvent,
  type AgentEventBody,
  type Answered,
  type PlanRevision,
  type StepState,
} from "@troupe/stream";

import { toJson } from "../engine/json.ts";
import type { EngineContext } from "../engine/port.ts";
import { END_KEY } from "../engine/run-end.ts";
import type { Revision, RunOutcome } from "../engine/run.ts";
import { answerStepOf, type DagSpec, type DagStep } from "../schema/spec.ts";

/** More events than a synthesis makes. */
const MOST_TOLD = 1_000_000;

/** The run's own events, numbered. */
export class RunStory {
  readonly #ctx: EngineContext;
  readonly #agent: string;
  readonly #states = new Map<string, number>();
  #seq = 0;

  /** @param agent the name they carry */
  constructor(ctx: EngineContext, agent: string) {
    this.#ctx = ctx;
    this.#agent = agent;
  }

  get seq(): number {
    return this.#seq;
  }

  emit(key: string, body: AgentEventBody, at?: { readonly stepId: string; readonly attempt: number }): void {
    const event: AgentEvent = {
      v: EVENT_VERSION,
      runId: this.#ctx.runId,
      seq: this.#seq++,
      attempt: 1,
      agent: this.#agent,
      ...at,
      ...body,
    };
    this.#ctx.emit(key, toJson(event));
  }

  /**
   * @param approval once a person has approved it
   * @param revisions steps added so far
   */
  plan(spec: DagSpec, approval?: Answered, revisions: readonly Revision[] = []): void {
    const answerStep = answerStepOf(spec);
    const steps = spec.steps.map(({ id, kind, agent, instruction, dependsOn, earlier, form }) => ({
      id,
      kind,
      agent,
      instruction,
      dependsOn,
      ...(earlier === undefined ? {} : { earlier }),
      ...(form === undefined ? {} : { form }),
    }));
    const plan = {
      name: spec.name,
      steps,
      ...(answerStep === undefined ? {} : { answerStep }),
      ...(approval === undefined ? {} : { approval }),
      ...(revisions.length === 0 ? {} : { revisions: revisions.map(toldRevision) }),
    };
    const first = approval === undefined ? "plan" : "plan/approved";
    const key = revisions.length === 0 ? first : `plan/${revisions.length + 1}`;
    this.emit(key, { type: "plan-update", plan });
  }

  /** @param answerItems the items of the log that make the answer */
  finish({ outcome, response, error }: RunOutcome, answerItems: readonly string[]): void {
    this.emit(END_KEY, {
      type: "finish",
      outcome,
      response,
      answerItems: response.content === "" ? [] : answerItems,
      ...(error ? { error } : {}),
    });
  }

  state(step: DagStep, state: StepState, reason?: string, answered?: Answered): void {
    const n = (this.#states.get(step.id) ?? 0) + 1;
    this.#states.set(step.id, n);
    this.emit(`status/${step.id}/${n}`, {
      type: "step-status",
      step: step.id,
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(answered === undefined ? {} : { answered }),
    });
  }

  /** A synthesis told so many events in its own right. */
  skip(events: number): void {
    this.#seq += events;
  }

  /** How much a synthesis told before it was given up, here or in a process that was killed, nobody knows. */
  skipUnknown(): void {
    this.#seq += MOST_TOLD;
  }
}

function toldRevision({ reason, steps, approved, refused }: Revision): PlanRevision {
  return {
    reason,
    steps: steps.map(({ id }) => id),
    ...(approved === undefined ? {} : { approval: approved }),
    ...(refused === undefined ? {} : { refused }),
  };
}
