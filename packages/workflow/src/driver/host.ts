import type { StepResult } from "@troupe/core";
import type { AgentEventBody, StepState } from "@troupe/stream";

import type { EngineContext, Pending, Settled } from "../engine/port.ts";
import type { RunInput, StepOutcome } from "../engine/run.ts";
import type { DagStep } from "../schema/spec.ts";
import type { DriverServices } from "./options.ts";
import type { Stamped } from "./stamped.ts";

/** What a step's own machine may ask of the run it belongs to. */
export interface StepHost {
  readonly ctx: EngineContext;
  readonly input: RunInput;
  readonly services: DriverServices;
  /** The latest time the journal told. */
  readonly lastAt: number;
  /** Learns a later time than the ones so far. */
  touch(at: number): void;
  /** What a stamped step function journaled; learns its time. */
  read<T>(settled: Settled): Stamped<T>;
  /** Calls `on` when `pending` settles. */
  watch(pending: Pending, on: (settled: Settled) => void): void;
  /** Forgets a pending and fires its signal. */
  drop(pending: Pending): void;
  /** Cancels an agent's task in the background; the run does not end before the agent was told. */
  cancelTask(key: string, agent: string, taskId: string): void;
  /** The results of the steps it depends on, and of no other. */
  resultsFor(step: DagStep): { readonly [stepId: string]: StepResult };
  state(step: DagStep, state: StepState, reason?: string): void;
  emit(key: string, body: AgentEventBody, at?: { readonly stepId: string; readonly attempt: number }): void;
  end(step: DagStep, outcome: Omit<StepOutcome, "state" | "ms">): void;
}

/** A step that was started and has not ended. */
export interface ActiveStep {
  /** Waits for a person: its clock stands and it takes no place of `max_parallel`. */
  readonly waiting: boolean;
  /** Gives up everything it waits for. What it sent is cancelled, now or when its id arrives. */
  cancel(): void;
}
