import { InputError, isTroupeError, type Log } from "@troupe/core";
import type { Clock, Json } from "@troupe/stream";

import { brokenRun, lostPlan } from "../engine/broken-run.ts";
import { CANCEL_SIGNAL, type DagDriver, type SignalAnswer, type WorkflowEngine } from "../engine/port.ts";
import type { RunLog } from "../engine/run-log.ts";
import { runInputSchema, type RunInput, type RunOutcome, type RunView } from "../engine/run.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import type { DagSpec } from "../schema/spec.ts";
import type { Journal, OpenRun } from "./journal.ts";
import { RunContext } from "./run-context.ts";

export interface JournalEngineParts {
  readonly journal: Journal;
  readonly events: RunLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
}

interface Waiter {
  readonly resolve: (outcome: RunOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs drivers in this process over a journal: one engine a journal, no leases. */
export class JournalEngine implements WorkflowEngine {
  readonly events: RunLog;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #newId: () => string;
  readonly #live = new Map<string, RunContext>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  /** Runs that cannot go on in this process, and why; the next one tries again. */
  readonly #stuck = new Map<string, unknown>();
  #driver: DagDriver | undefined;
  #closed = false;

  constructor(parts: JournalEngineParts) {
    this.#journal = parts.journal;
    this.events = parts.events;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#newId = parts.newId;
  }

  async register(driver: DagDriver): Promise<void> {
    this.#open();
    if (this.#driver) throw new WorkflowError("workflow.internal", "a driver is registered already");
    this.#driver = driver;
    for (const run of this.#journal.openRuns()) {
      this.#log.info("a run goes on where it was cut off", { runId: run.runId });
      await this.events.begin(toBegin(run));
      this.#begin(run);
    }
    for (const runId of await this.events.planning()) this.events.append(runId, "finish", lostPlan(runId));
  }

  async start(
    spec: DagSpec,
    input: Json,
    o: { readonly runId: string },
  ): Promise<{ readonly created: boolean }> {
    this.#open();
    const run = { runId: o.runId, spec, input };
    const created = await this.#journal.addRun(run, this.#clock.now());
    if (!created) return { created };
    await this.events.begin(toBegin(run));
    this.#begin(run);
    return { created };
  }

  async signal(
    runId: string,
    name: string,
    value: Json,
    o: { readonly idempotencyKey: string },
  ): Promise<SignalAnswer> {
    this.#open();
    const { answer, first } = await this.#journal.addSignal(runId, name, value, o.idempotencyKey);
    if (first) this.#live.get(runId)?.onSignal(name, value);
    return answer;
  }

  cancel(runId: string, reason: string): Promise<SignalAnswer> {
    return this.signal(runId, CANCEL_SIGNAL, { reason }, { idempotencyKey: this.#newId() });
  }

  input(runId: string): RunInput | undefined {
    return runInputSchema.safeParse(this.#journal.input(runId)).data;
  }

  stuck(runId: string): unknown {
    return this.#stuck.get(runId);
  }

  get(runId: string): Promise<RunView | null> {
    return this.events.view(runId);
  }

  async result(runId: string, o: { readonly signal?: AbortSignal } = {}): Promise<RunOutcome> {
    this.#open();
    o.signal?.throwIfAborted();
    const known = this.#journal.outcome(runId);
    if (known === undefined)
      throw new InputError(
        "input.not-found",
        `there is no run "${runId}"; list the runs to see which there are`,
      );
    if (known) return known;
    if (this.#stuck.has(runId)) throw this.#stuck.get(runId);
    return this.#wait(runId, o.signal);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const run of this.#live.values()) run.close();
    this.#live.clear();
    const closed = new WorkflowError(
      "workflow.closed",
      "the engine was closed; the run goes on when it is opened again",
    );
    for (const runId of this.#waiters.keys()) this.#settle(runId, (waiter) => waiter.reject(closed));
    this.#journal.close();
  }

  #open(): void {
    if (this.#closed) throw new WorkflowError("workflow.closed", "the engine was closed");
  }

  #wait(runId: string, signal: AbortSignal | undefined): Promise<RunOutcome> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(runId) ?? new Set();
      this.#waiters.set(runId, waiters);
      const leave = (): void => {
        waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      const settled =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener("abort", leave);
          then(value);
        };
      const waiter: Waiter = { resolve: settled(resolve), reject: settled(reject) };
      waiters.add(waiter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #settle(runId: string, tell: (waiter: Waiter) => void): void {
    const waiters = this.#waiters.get(runId);
    this.#waiters.delete(runId);
    for (const waiter of waiters ?? []) tell(waiter);
  }

  /** Starts or resumes a run in the background, unless no driver is there yet: then `register` does. */
  #begin(run: OpenRun): void {
    const driver = this.#driver;
    if (!driver || this.#closed || this.#live.has(run.runId)) return;
    const { runId } = run;
    const context = new RunContext({
      runId,
      journal: this.#journal,
      events: this.events,
      clock: this.#clock,
      log: this.#log,
    });
    this.#live.set(runId, context);
    this.#drive(driver, context, run).then(
      (outcome) => this.#settle(runId, (waiter) => waiter.resolve(outcome)),
      (error: unknown) => {
        if (this.#closed) return;
        // The run stays open in the journal and goes on at the next start.
        this.#stuck.set(runId, error);
        this.#log.error("a run could not go on", { runId, error });
        this.#settle(runId, (waiter) => waiter.reject(error));
      },
    );
  }

  async #drive(driver: DagDriver, context: RunContext, run: OpenRun): Promise<RunOutcome> {
    const { runId } = run;
    try {
      const outcome = await this.#outcome(driver, context, run);
      await this.#journal.endRun(runId, outcome, this.#clock.now());
      return outcome;
    } finally {
      context.close();
      this.#live.delete(runId);
    }
  }

  /** A driver that breaks ends its run as failed; only storage and a foreign journal leave it open. */
  async #outcome(driver: DagDriver, context: RunContext, run: OpenRun): Promise<RunOutcome> {
    try {
      return await driver(context, run.spec, run.input);
    } catch (error) {
      const stays =
        isTroupeError(error) &&
        (error.code.startsWith("store.") || error.code === "workflow.journal-mismatch");
      if (stays || this.#closed) throw error;
      this.#log.error("the driver broke", { runId: run.runId, error });
      const { outcome, event } = brokenRun(run.runId);
      this.events.append(run.runId, "finish", event);
      return outcome;
    }
  }
}

function toBegin(run: OpenRun): Parameters<RunLog["begin"]>[0] {
  const { runId, spec } = run;
  const input = runInputSchema.safeParse(run.input);
  const { objective, userId } = input.success ? input.data : { objective: "" };
  return { runId, name: spec.name, objective, ...(userId === undefined ? {} : { userId }) };
}
