import { InputError, isTroupeError, type Log } from "@troupe/core";
import type { Clock, Json } from "@troupe/stream";

import { brokenRun, lostPlan } from "../engine/broken-run.ts";
import { CANCEL_SIGNAL, type DagDriver, type ResumeAnswer, type SignalAnswer } from "../engine/port.ts";
import type { RecordedRun } from "../engine/recorded-run.ts";
import { END_KEY, endEvent, endNotKept, hasEnd } from "../engine/run-end.ts";
import type { RunLog } from "../engine/run-log.ts";
import { runRecord } from "../engine/run-record.ts";
import { runInputSchema, type RunInput, type RunOutcome, type RunView } from "../engine/run.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import type { DagSpec } from "../schema/spec.ts";
import type { ForgetAnswer } from "./compactor.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { recordedIn, type Journal, type OpenRun } from "./journal.ts";
import { RunContext } from "./run-context.ts";
import { Sleepers } from "./sleepers.ts";
import { Waiters } from "./waiters.ts";

export interface JournalEngineParts {
  readonly journal: Journal;
  readonly events: RunLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly askedAgain?: ReadonlySet<string>;
  /**
   * A run that waits for timers and signals only is let go of when the first of them is further away than
   * this, in milliseconds; `Infinity`: none ever is.
   */
  readonly shortestSleepMs?: number;
}

/** Shorter than this the replay costs more than it saves. */
const SHORTEST_SLEEP_MS = 10_000;

/** How long runs are taken up in one go, in milliseconds, before others have their turn. */
const TAKE_UP_MS = 10;

/** Runs drivers in this process over a journal: one engine a journal, no leases. */
export class JournalEngine implements EmbeddedEngine {
  readonly events: RunLog;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #newId: () => string;
  readonly #askedAgain: ReadonlySet<string>;
  readonly #shortestSleepMs: number;
  readonly #sleepers: Sleepers;
  readonly #live = new Map<string, RunContext>();
  readonly #waiters = new Waiters<RunOutcome>();
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
    this.#askedAgain = parts.askedAgain ?? new Set();
    this.#shortestSleepMs = parts.shortestSleepMs ?? SHORTEST_SLEEP_MS;
    this.#sleepers = new Sleepers(parts.clock, (runId, takenUpAt) => this.#takeUp(runId, takenUpAt));
  }

  async register(driver: DagDriver): Promise<void> {
    this.#open();
    if (this.#driver) throw new WorkflowError("workflow.internal", "a driver is registered already");
    this.#driver = driver;
    // Not all at once: whoever asks for one of them meanwhile has it taken up before the others.
    const open = this.#journal.openRuns();
    if (open.length > 0) this.#log.info("runs go on where they were cut off", { runs: open.length });
    for (const runId of open) this.#sleepers.add(runId, Infinity);
    void this.#takeUpAll(open);
    const begun = new Set(open);
    for (const runId of await this.events.planning())
      if (!begun.has(runId) && !this.#askedAgain.has(runId))
        this.events.append(runId, END_KEY, lostPlan(runId));
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
    await this.events.begin(runRecord(run));
    this.#begin(run, { isOnRecord: true });
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
    // One that sleeps finds it in the journal.
    if (first && !this.#sleepers.wake(runId)) this.#live.get(runId)?.onSignal(name, value);
    return answer;
  }

  cancel(runId: string, reason: string): Promise<SignalAnswer> {
    return this.signal(runId, CANCEL_SIGNAL, { reason }, { idempotencyKey: this.#newId() });
  }

  async input(runId: string): Promise<RunInput | undefined> {
    return runInputSchema.safeParse(this.#journal.run(runId)?.input).data;
  }

  async recorded(runId: string): Promise<RecordedRun | undefined> {
    this.#open();
    return recordedIn(this.#journal, runId);
  }

  async resume(runId: string): Promise<ResumeAnswer> {
    this.#open();
    if (this.#journal.outcome(runId) !== null) return "no-run";
    if (!this.#stuck.delete(runId)) return "at-work";
    this.#takeUp(runId);
    return "resumed";
  }

  /** Something of a run cannot be kept: it says so, and stays open to be resumed. */
  giveUp(runId: string, error: unknown): void {
    this.#live.get(runId)?.fail(error);
  }

  /** The disk takes what it had refused of a run: one that had only to end has its end. */
  goOn(runId: string): void {
    if (!this.#stuck.has(runId)) return;
    hasEnd(this.events, runId)
      .then((ends) => (ends ? this.resume(runId) : undefined))
      .catch((error: unknown) => this.#log.warn("a run could not be resumed by itself", { runId, error }));
  }

  async stuck(runIds: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    return new Map(
      runIds.filter((runId) => this.#stuck.has(runId)).map((runId) => [runId, this.#stuck.get(runId)]),
    );
  }

  forget(runId: string): Promise<ForgetAnswer> {
    this.#open();
    return this.#journal.forget(runId);
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
    if (known) {
      void this.#tellEnd(known);
      return known;
    }
    if (this.#stuck.has(runId)) throw this.#stuck.get(runId);
    return this.#waiters.wait(runId, o.signal);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const run of this.#live.values()) run.close();
    this.#live.clear();
    this.#sleepers.close();
    const closed = new WorkflowError(
      "workflow.closed",
      "the engine was closed; the run goes on when it is opened again",
    );
    this.#waiters.rejectAll(closed);
    this.#journal.close();
  }

  #open(): void {
    if (this.#closed) throw new WorkflowError("workflow.closed", "the engine was closed");
  }

  async #takeUpAll(runs: readonly string[]): Promise<void> {
    let began = this.#clock.now();
    for (const runId of runs) {
      if (this.#clock.now() - began > TAKE_UP_MS) {
        await this.#clock.sleep(0);
        began = this.#clock.now();
      }
      if (this.#closed) return;
      if (this.#sleepers.wake(runId)) await this.#live.get(runId)?.caughtUp;
    }
  }

  /** Goes on with a run by its rows. */
  #takeUp(runId: string, takenUpAt?: number): void {
    try {
      const run = this.#journal.outcome(runId) === null ? this.#journal.run(runId) : undefined;
      if (run) this.#begin(run, { takenUpAt });
    } catch (error) {
      this.#cannotGoOn(runId, error);
    }
  }

  /** Starts or resumes a run in the background, unless no driver is there yet: then `register` does. */
  #begin(run: OpenRun, o: { readonly takenUpAt?: number | undefined; readonly isOnRecord?: boolean }): void {
    const driver = this.#driver;
    if (!driver || this.#closed || this.#live.has(run.runId)) return;
    const { runId } = run;
    const context: RunContext = new RunContext({
      runId,
      journal: this.#journal,
      events: this.events,
      clock: this.#clock,
      log: this.#log,
      takenUpAt: o.takenUpAt,
      sleeps: (until) => this.#sleeps(context, until),
    });
    this.#live.set(runId, context);
    this.#drive(driver, context, run, o.isOnRecord === true || !context.isNew).then(
      (outcome) => this.#waiters.resolve(runId, outcome),
      (error: unknown) => {
        if (!this.#closed) this.#cannotGoOn(runId, error);
      },
    );
  }

  /** It stays open in the journal and goes on at the next start. */
  #cannotGoOn(runId: string, error: unknown): void {
    this.#stuck.set(runId, error);
    this.#log.error("a run could not go on", { runId, error });
    this.#waiters.reject(runId, error);
  }

  /** Whoever follows a run that has ended waits for its end, which its log may have lost. */
  async #tellEnd(outcome: RunOutcome): Promise<void> {
    const { runId } = outcome;
    try {
      if (await hasEnd(this.events, runId)) return;
      // Its events go first when it is forgotten, and none may come after them.
      if (this.#journal.outcome(runId)) this.events.append(runId, END_KEY, endEvent(outcome));
    } catch (error) {
      if (!this.#closed)
        this.#log.warn("it could not be seen whether a run's log has its end", { runId, error });
    }
  }

  /** Whether its log says how it ended, once the disk takes that. */
  async #endIsKept(context: RunContext): Promise<boolean> {
    const { runId } = context;
    if (await hasEnd(this.events, runId)) return true;
    await context.orFailed(Promise.resolve(this.events.drained?.(runId)));
    return hasEnd(this.events, runId);
  }

  #sleeps({ runId, takenUpAt }: RunContext, until: number): boolean {
    if (this.#closed || !(until - this.#clock.now() > this.#shortestSleepMs)) return false;
    this.#live.delete(runId);
    this.#sleepers.add(runId, until, takenUpAt);
    return true;
  }

  async #drive(
    driver: DagDriver,
    context: RunContext,
    run: OpenRun,
    isOnRecord: boolean,
  ): Promise<RunOutcome> {
    const { runId } = run;
    try {
      // Its process may have ended between the two.
      if (!isOnRecord) await this.events.begin(runRecord(run));
      const { outcome, told } = await this.#outcome(driver, context, run);
      // Once the journal has its end nobody tells it again.
      if (told && !(await this.#endIsKept(context))) throw endNotKept(runId);
      await this.#journal.endRun(runId, outcome, this.#clock.now());
      return outcome;
    } finally {
      context.close();
      this.#live.delete(runId);
    }
  }

  /**
   * A driver that breaks ends its run as failed; only storage and a foreign journal leave it open. `told`: an
   * event says so.
   */
  async #outcome(
    driver: DagDriver,
    context: RunContext,
    run: OpenRun,
  ): Promise<{ readonly outcome: RunOutcome; readonly told: boolean }> {
    try {
      const outcome = await driver(context, run.spec, run.input);
      context.checkUsedUp();
      return { outcome, told: context.toldEnd };
    } catch (error) {
      const stays =
        isTroupeError(error) &&
        (error.code.startsWith("store.") || error.code === "workflow.journal-mismatch");
      if (stays || this.#closed) throw error;
      this.#log.error("the driver broke", { runId: run.runId, error });
      const { outcome, event } = brokenRun(run.runId);
      this.events.append(run.runId, END_KEY, event);
      return { outcome, told: true };
    }
  }
}
