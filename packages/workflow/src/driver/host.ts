import type { StepResult } from "@troupe/core";
import type { AgentEventBody, Answered, ErrorInfo, StepState, Usage } from "@troupe/stream";

import type { EngineContext, Pending, Settled } from "../engine/port.ts";
import type { RunInput, StepOutcome } from "../engine/run.ts";
import type { DagStep } from "../schema/spec.ts";
import type { Order } from "./limits/budget.ts";
import type { DriverServices } from "./options.ts";
import type { ResultRoom } from "./steps/result-room.ts";
import type { Stamped } from "./stamped.ts";

/** What a step's own machine may ask of the run it belongs to. */
export interface StepHost {
  readonly ctx: EngineContext;
  readonly input: RunInput;
  readonly services: DriverServices;
  /** What the results of the run have together. */
  readonly room: ResultRoom;
  /** The latest time the journal told. */
  readonly lastAt: number;
  /** What is left of the run's deadline, by the latest time the journal told; undefined where it has none. */
  readonly leftMs: number | undefined;
  /** Learns a later time than the ones so far. */
  touch(at: number): void;
  /** What a stamped step function journaled; learns its time. */
  read<T>(settled: Settled): Stamped<T>;
  /** Calls `on` when `pending` settles. */
  watch(pending: Pending, on: (settled: Settled) => void): void;
  /** Forgets a pending and fires its signal. */
  drop(pending: Pending): void;
  /** Cancels an agent's task in the background; the run does not end before the agent was told. */
  cancelTask(task: GivenUp): void;
  /**
   * Calls `paid` with what an attempt may use of the run's limits: at once, or when others have given
   * back what they were handed. Calls `none` with the reason when nothing is left.
   */
  whenPaid(order: Order): void;
  /** Why no attempt can be paid any more, and so nothing starts; undefined while one can, now or later. */
  outOfBudget(): string | undefined;
  /** Counts what an attempt used, also when its step has ended. */
  spend(step: DagStep, attempt: string, usage: Usage): void;
  /** Gives back what an attempt was handed and did not use. */
  release(attempt: string): void;
  /** Calls `goOn` once fewer agents work than may, before any step that has not begun. Never, once the run was stopped. */
  whenFree(goOn: () => void): void;
  /** The results of the steps it depends on, and of no other. */
  resultsFor(step: DagStep): { readonly [stepId: string]: StepResult };
  state(step: DagStep, state: StepState, reason?: string, answered?: Answered): void;
  emit(key: string, body: AgentEventBody, at?: { readonly stepId: string; readonly attempt: number }): void;
  end(step: DagStep, outcome: Omit<StepOutcome, "state" | "ms">): void;
}

/** A task that nobody waits for any more. */
export interface GivenUp {
  /** Of the message that began it. */
  readonly key: string;
  readonly agent: string;
  readonly taskId: string;
  /** What it used, as far as this process knows and the journal does not; asked once the agent was told. */
  readonly used: () => Usage | undefined;
  /** The agent was told. */
  readonly told: (used: Usage | undefined) => void;
}

/** A step that was started and has not ended. */
export interface ActiveStep {
  /** Waits for a person, or for its share of the run's limits: it takes no place of `max_parallel`. */
  readonly waiting: boolean;
  /** Ends it as it stands and gives up all it waits for. What it sent is cancelled, now or when its id arrives. */
  stop(outcome: "canceled" | "failed", error: ErrorInfo): void;
}
