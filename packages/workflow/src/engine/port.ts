import type { Json } from "@troupe/stream";

import type { DagSpec } from "../schema/spec.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { RunLog } from "./run-log.ts";
import type { RunInput, RunOutcome, RunView } from "./run.ts";
import type { SettledError } from "./settled-error.ts";

/** What a signal was answered with. `no-run`: there is no such run, or it has ended. */
export type SignalAnswer = "accepted" | "duplicate" | "no-run";

/** `at-work`: there is nothing to resume, it goes on or waits. `no-run`: there is no such run, or it has ended. */
export type ResumeAnswer = "resumed" | "at-work" | "no-run";

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

/** An engine as the process sees it that serves its runs to people. */
export interface HostedEngine extends WorkflowEngine {
  /** The event log runs are written to: give it to the driver and to whoever follows a run. */
  readonly events: RunLog;
  /** What a run was asked; undefined for one the engine does not know. */
  input(runId: string): Promise<RunInput | undefined>;
  /** What it knows of a run, ended or not; undefined for one it does not know. */
  recorded(runId: string): Promise<RecordedRun | undefined>;
  /** Goes on with a run that could not go on before, such as after a full disk. */
  resume(runId: string): Promise<ResumeAnswer>;
  /** Which of these runs cannot go on, and why. */
  stuck(runIds: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
}

/** Something that will settle. Not thenable on purpose: `next()` is the only await. */
export interface Pending {
  readonly id: string;
}

export type Settled = { readonly id: string } & (
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: SettledError }
);

/** What one run's driver sees of the engine. Names are unique within a run, never numbered by call order. */
export interface EngineContext {
  readonly runId: string;
  /**
   * When this process took the run up, where that may be later than when it began to drive runs: nobody
   * waited for anything in between. For step functions only; a replay is told another.
   */
  readonly takenUpAt?: number;
  /**
   * No retry, no timeout here: errors are values, the driver retries with a timer and a new name.
   * `fn` starts at the latest when a `next()` waits for it.
   */
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
