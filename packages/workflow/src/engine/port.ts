import type { Json } from "@troupe/stream";

import type { DagSpec } from "../schema/spec.ts";
import type { RunOutcome, RunView } from "./run.ts";

/** What a signal was answered with. `no-run`: there is no such run, or it has ended. */
export type SignalAnswer = "accepted" | "duplicate" | "no-run";

/** The signal that cancels a run; its value is `{ reason }`. */
export const CANCEL_SIGNAL = "$cancel";

/**
 * Runs workflows so that a run once started ends, whatever is killed in between. Two engines, one
 * port: the embedded journal and Restate. Both pass `workflowEngineContract`.
 */
export interface WorkflowEngine {
  /** Listens, or resumes what was cut off. Once, before or after the first `start`. */
  register(driver: DagDriver): Promise<void>;
  /** Idempotent on `runId`; `input` is a `RunInput`. */
  start(spec: DagSpec, input: Json, o: { readonly runId: string }): Promise<{ readonly created: boolean }>;
  /**
   * Kept if nobody waits yet. One value a name: a second one is `duplicate`. The same
   * idempotency key gets the first answer again.
   */
  signal(
    runId: string,
    name: string,
    value: Json,
    o: { readonly idempotencyKey: string },
  ): Promise<SignalAnswer>;
  /** The signal `$cancel`, raced in every `next()`. */
  cancel(runId: string, reason: string): Promise<SignalAnswer>;
  /** From the event log. */
  get(runId: string): Promise<RunView | null>;
  /** Waits for the end. Throws an `InputError` (`input.not-found`) for a run nobody started. */
  result(runId: string, o?: { readonly signal?: AbortSignal }): Promise<RunOutcome>;
  /** Lets go of every run where it stands; the next `register` goes on with them. */
  close(): Promise<void>;
}

/** Something that will settle. Not thenable on purpose: `next()` is the only await. */
export interface Pending {
  readonly id: string;
}

/** An error as a value: a failing step never ends the attempt of its siblings. */
export interface SettledError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export type Settled = { readonly id: string } & (
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: SettledError }
);

/** What one run's driver sees of the engine. Names are unique within a run, never numbered by call order. */
export interface EngineContext {
  readonly runId: string;
  /** No retry, no timeout here: errors are values, the driver retries with a timer and a new name. */
  step(id: string, fn: (a: { readonly signal: AbortSignal }) => Promise<Json>): Pending;
  /** One value a name; a deadline is a timer. */
  waitSignal(name: string): Pending;
  /** Durable: a timer that falls due while nobody runs fires at once afterwards. */
  timer(id: string, ms: number): Pending;
  /** Throws on one that was already delivered. */
  next(running: readonly [Pending, ...Pending[]]): Promise<Settled>;
  /** Fires the signal only; `fn` may run again on replay. */
  abort(p: Pending): void;
  /** Idempotent on (runId, key). */
  emit(key: string, event: Json): void;
}

/**
 * One pure function for both engines: no clock, no randomness and no I/O outside step functions,
 * and no await but `next()`.
 */
export type DagDriver = (ctx: EngineContext, spec: DagSpec, input: Json) => Promise<RunOutcome>;
