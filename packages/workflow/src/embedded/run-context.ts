import type { Log } from "@troupe/core";
import type { AgentEvent, Clock, Json } from "@troupe/stream";

import { fromJson } from "../engine/json.ts";
import { NamedSlots } from "../engine/named-slots.ts";
import type { EngineContext, Pending, Settled } from "../engine/port.ts";
import type { Settlement } from "../engine/recorded-run.ts";
import { END_KEY } from "../engine/run-end.ts";
import type { RunLog } from "../engine/run-log.ts";
import { settleStep, type StepFunction } from "../engine/settle-step.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import type { Journal, RunState } from "./journal.ts";

interface Slot {
  /** Of a step. */
  readonly abort?: AbortController;
  /** Of a timer. */
  due?: number;
  cancelTimer?: () => void;
}

export interface RunContextOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly events: RunLog;
  readonly clock: Clock;
  readonly log: Log;
  /** When this process took the run up first; now by default. */
  readonly takenUpAt?: number | undefined;
  /**
   * Asked when the run waits for signals and timers only: whether it may be let go of until the first of
   * these timers falls due, `Infinity` without one. After a yes nothing happens here any more.
   */
  readonly sleeps: (until: number) => boolean;
}

/** One run's side of the embedded engine: replays the journal, then goes on live. */
export class RunContext implements EngineContext {
  readonly runId: string;
  readonly takenUpAt: number;
  readonly #o: RunContextOptions;
  readonly #entries: RunState["entries"];
  readonly #recorded: ReadonlySet<string>;
  readonly #signals: Map<string, Json>;
  readonly #timers: ReadonlyMap<string, number>;
  readonly #slots = new NamedSlots<Slot>();
  /** Steps that were named and neither delivered nor given up. */
  readonly #steps = new Set<string>();
  /** Timers that are not on disk yet. */
  #unwritten = 0;
  readonly #caughtUp = Promise.withResolvers<void>();
  /** In order of arrival. */
  readonly #ready = new Map<string, Settlement>();
  /** Steps start at the first live `next()` after they were named: replay starts none. */
  #waiting: (() => void)[] = [];
  #seq = 0;
  #toldEnd = false;
  #wake: (() => void) | undefined;
  #failure: unknown;
  #closed = false;

  constructor(options: RunContextOptions) {
    this.runId = options.runId;
    this.takenUpAt = options.takenUpAt ?? options.clock.now();
    this.#o = options;
    const state = options.journal.load(options.runId);
    this.#entries = state.entries;
    this.#recorded = new Set(state.entries.map((entry) => entry.name));
    this.#signals = new Map(state.signals);
    this.#timers = state.timers;
  }

  /** Whether nothing of it was journaled yet. */
  get isNew(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether the driver told how the run ended. */
  get toldEnd(): boolean {
    return this.#toldEnd;
  }

  /** Resolves once the journal is used up, or it has ended before. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  step(id: string, fn: StepFunction): Pending {
    const abort = new AbortController();
    this.#slots.add(id, () => ({ abort }));
    this.#steps.add(id);
    if (!this.#recorded.has(id)) this.#waiting.push(() => this.#run(id, fn, abort.signal));
    return { id };
  }

  waitSignal(name: string): Pending {
    const id = `signal:${name}`;
    this.#slots.add(id, () => ({}));
    const value = this.#signals.get(name);
    if (value !== undefined) this.#settle(id, { ok: true, value });
    return { id };
  }

  timer(id: string, ms: number): Pending {
    const name = `timer:${id}`;
    const slot = this.#slots.add(name, (): Slot => ({}));
    if (this.#recorded.has(name)) return { id: name };
    const known = this.#timers.get(name);
    const due = known ?? this.#o.clock.now() + ms;
    slot.due = due;
    if (known === undefined) this.#keepTimer(name, due);
    this.#wait(name, slot, due);
    return { id: name };
  }

  async next(running: readonly [Pending, ...Pending[]]): Promise<Settled> {
    for (const { id } of running) this.#slots.awaited(id);
    const ids = new Set(running.map((pending) => pending.id));
    const replayed = this.#entries[this.#seq];
    if (replayed) return this.#replay(replayed, ids);
    this.#caughtUp.resolve();
    this.#startWaiting();
    for (;;) {
      // A closed engine holds the driver here for good: the next process goes on from the journal.
      if (this.#closed) return new Promise<never>(() => undefined);
      if (this.#failure !== undefined) throw this.#failure;
      for (const [id, settlement] of this.#ready) {
        if (ids.has(id)) return this.#deliver(id, settlement);
      }
      if (this.#waitsOnly(ids) && this.#o.sleeps(this.#nextDue(ids))) {
        this.close();
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  abort(p: Pending): void {
    const slot = this.#slots.get(p.id);
    this.#steps.delete(p.id);
    slot?.cancelTimer?.();
    slot?.abort?.abort(new WorkflowError("workflow.internal", `"${p.id}" was given up by its run`));
  }

  emit(key: string, event: Json): void {
    if (key === END_KEY) {
      this.checkUsedUp();
      this.#toldEnd = true;
    }
    this.#o.events.append(this.runId, key, fromJson<AgentEvent>(event));
  }

  /**
   * Throws where the journal has a step done that the driver never asked for: it came to another end before.
   * A signal, a timer, or a step that it gave up may be left.
   */
  checkUsedUp(): void {
    const left = this.#entries
      .slice(this.#seq)
      .find(({ name }) => !/^(?:signal|timer):/.test(name) && this.#slots.get(name) === undefined);
    if (left !== undefined) throw this.#mismatch(left.name, "the driver has come to its end");
  }

  /** A value arrived for a signal, whether or not anybody waits for it yet. */
  onSignal(name: string, value: Json): void {
    this.#signals.set(name, value);
    if (this.#slots.get(`signal:${name}`)) this.#settle(`signal:${name}`, { ok: true, value });
  }

  /** Resolves with what is waited for, or rejects with why the run cannot go on, whichever is first. */
  orFailed(waited: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (): void => {
        if (this.#failure !== undefined) reject(this.#failure);
      };
      failed();
      this.#wake = failed;
      waited.then(resolve, reject);
    });
  }

  /** It cannot go on in this process. */
  fail(error: unknown): void {
    this.#failure = error;
    this.#wake?.();
  }

  /** Stops timers and aborts what still runs: the run has ended or sleeps, or the engine closes. */
  close(): void {
    this.#closed = true;
    this.#caughtUp.resolve();
    const reason = new WorkflowError("workflow.closed", `the engine let go of run "${this.runId}"`);
    for (const slot of this.#slots.held()) {
      slot.cancelTimer?.();
      slot.abort?.abort(reason);
    }
  }

  /** Whether only a signal or a timer can move it on, and a replay would bring it back here with nothing lost. */
  #waitsOnly(ids: ReadonlySet<string>): boolean {
    if (this.#steps.size > 0 || this.#unwritten > 0) return false;
    // A step that was given up may still be waited for.
    return [...ids].every((id) => this.#slots.get(id)?.abort === undefined);
  }

  #nextDue(ids: ReadonlySet<string>): number {
    return Math.min(...[...ids].map((id) => this.#slots.get(id)?.due ?? Infinity));
  }

  #keepTimer(name: string, due: number): void {
    this.#unwritten++;
    this.#o.journal.addTimer(this.runId, name, due).then(
      () => this.#written(),
      (error: unknown) => this.fail(error),
    );
  }

  #written(): void {
    this.#unwritten--;
    this.#wake?.();
  }

  #replay(entry: RunState["entries"][number], ids: ReadonlySet<string>): Settled {
    if (!ids.has(entry.name)) throw this.#mismatch(entry.name, `the driver waits for ${[...ids].join(", ")}`);
    this.#seq++;
    this.#markDelivered(entry.name);
    return { id: entry.name, ...entry.value };
  }

  #mismatch(next: string, what: string): WorkflowError {
    return new WorkflowError(
      "workflow.journal-mismatch",
      `run ${this.runId}: the journal has "${next}" next, ${what}`,
    );
  }

  #markDelivered(id: string): void {
    this.#slots.deliver(id);
    this.#steps.delete(id);
  }

  async #deliver(id: string, settlement: Settlement): Promise<Settled> {
    // Through text, so that the driver sees live exactly what a replay will show it.
    const text = JSON.stringify(settlement);
    const kept = JSON.parse(text) as Settlement;
    await this.#o.journal.addEntry(this.runId, this.#seq++, id, text);
    if (this.#closed) return new Promise<never>(() => undefined);
    this.#ready.delete(id);
    this.#markDelivered(id);
    return { id, ...kept };
  }

  #startWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const start of waiting) start();
  }

  #run(id: string, fn: StepFunction, signal: AbortSignal): void {
    const onBreak = (error: unknown): void =>
      this.#o.log.error("a step broke", { runId: this.runId, step: id, error });
    void settleStep(fn, signal, onBreak).then((settlement) => this.#settle(id, settlement));
  }

  #wait(name: string, slot: Slot, due: number): void {
    slot.cancelTimer = this.#o.clock.schedule(Math.max(0, due - this.#o.clock.now()), () => {
      if (this.#o.clock.now() < due) this.#wait(name, slot, due);
      else this.#settle(name, { ok: true, value: null });
    });
  }

  #settle(id: string, settlement: Settlement): void {
    this.#ready.set(id, settlement);
    this.#wake?.();
  }
}
