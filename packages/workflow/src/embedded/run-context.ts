import { isTroupeError, type Log } from "@troupe/core";
import type { AgentEvent, Clock, Json } from "@troupe/stream";

import { fromJson } from "../engine/json.ts";
import type { EngineContext, Pending, Settled } from "../engine/port.ts";
import type { RunLog } from "../engine/run-log.ts";
import { toSettledError } from "../engine/settled-error.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import type { Journal, RunState, Settlement } from "./journal.ts";

/** The longest a platform timer can wait; a longer one is set again when it fires. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type StepFunction = (a: { readonly signal: AbortSignal }) => Promise<Json>;

interface Slot {
  readonly abort?: AbortController;
  cancelTimer?: () => void;
}

const DELIVERED: Slot = {};

export interface RunContextOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly events: RunLog;
  readonly clock: Clock;
  readonly log: Log;
}

/** One run's side of the embedded engine: replays the journal, then goes on live. */
export class RunContext implements EngineContext {
  readonly runId: string;
  readonly #o: RunContextOptions;
  readonly #entries: RunState["entries"];
  readonly #recorded: ReadonlySet<string>;
  readonly #signals: Map<string, Json>;
  readonly #timers: ReadonlyMap<string, number>;
  readonly #slots = new Map<string, Slot>();
  readonly #delivered = new Set<string>();
  /** In order of arrival. */
  readonly #ready = new Map<string, Settlement>();
  /** Steps start at the first live `next()` after they were named: replay starts none. */
  #waiting: (() => void)[] = [];
  #seq = 0;
  #wake: (() => void) | undefined;
  #failure: unknown;
  #closed = false;

  constructor(options: RunContextOptions) {
    this.runId = options.runId;
    this.#o = options;
    const state = options.journal.load(options.runId);
    this.#entries = state.entries;
    this.#recorded = new Set(state.entries.map((entry) => entry.name));
    this.#signals = new Map(state.signals);
    this.#timers = state.timers;
  }

  step(id: string, fn: StepFunction): Pending {
    const abort = new AbortController();
    this.#name(id, { abort });
    if (!this.#recorded.has(id)) this.#waiting.push(() => this.#run(id, fn, abort.signal));
    return { id };
  }

  waitSignal(name: string): Pending {
    const id = `signal:${name}`;
    this.#name(id, {});
    const value = this.#signals.get(name);
    if (value !== undefined && !this.#recorded.has(id)) this.#settle(id, { ok: true, value });
    return { id };
  }

  timer(id: string, ms: number): Pending {
    const name = `timer:${id}`;
    const slot = this.#name(name, {});
    if (this.#recorded.has(name)) return { id: name };
    const known = this.#timers.get(name);
    const due = known ?? this.#o.clock.now() + ms;
    if (known === undefined)
      this.#o.journal.addTimer(this.runId, name, due).catch((error: unknown) => this.#fail(error));
    this.#wait(name, slot, due);
    return { id: name };
  }

  async next(running: readonly [Pending, ...Pending[]]): Promise<Settled> {
    for (const { id } of running) {
      if (!this.#slots.has(id))
        throw new WorkflowError("workflow.internal", `"${id}" was never started in this run`);
      if (this.#delivered.has(id))
        throw new WorkflowError("workflow.internal", `"${id}" was delivered before`);
    }
    const ids = new Set(running.map((pending) => pending.id));
    const replayed = this.#entries[this.#seq];
    if (replayed) return this.#replay(replayed, ids);
    this.#startWaiting();
    for (;;) {
      // A closed engine holds the driver here for good: the next process goes on from the journal.
      if (this.#closed) return new Promise<never>(() => undefined);
      if (this.#failure !== undefined) throw this.#failure;
      for (const [id, settlement] of this.#ready) {
        if (ids.has(id)) return this.#deliver(id, settlement);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  abort(p: Pending): void {
    const slot = this.#slots.get(p.id);
    slot?.cancelTimer?.();
    slot?.abort?.abort(new WorkflowError("workflow.internal", `"${p.id}" was given up by its run`));
  }

  emit(key: string, event: Json): void {
    this.#o.events.append(this.runId, key, fromJson<AgentEvent>(event));
  }

  /** A value arrived for a signal, whether or not anybody waits for it yet. */
  onSignal(name: string, value: Json): void {
    this.#signals.set(name, value);
    if (this.#slots.has(`signal:${name}`)) this.#settle(`signal:${name}`, { ok: true, value });
  }

  /** Stops timers and aborts what still runs: the run has ended, or the engine closes. */
  close(): void {
    this.#closed = true;
    const reason = new WorkflowError("workflow.closed", `the engine let go of run "${this.runId}"`);
    for (const slot of this.#slots.values()) {
      slot.cancelTimer?.();
      slot.abort?.abort(reason);
    }
    this.#wake?.();
  }

  #name(id: string, slot: Slot): Slot {
    if (this.#slots.has(id))
      throw new WorkflowError("workflow.internal", `the name "${id}" was used twice in this run`);
    this.#slots.set(id, slot);
    return slot;
  }

  #replay(entry: RunState["entries"][number], ids: ReadonlySet<string>): Settled {
    if (!ids.has(entry.name)) {
      throw new WorkflowError(
        "workflow.journal-mismatch",
        `run ${this.runId}: the journal has "${entry.name}" next, the driver waits for ${[...ids].join(", ")}`,
      );
    }
    this.#seq++;
    this.#markDelivered(entry.name);
    return { id: entry.name, ...entry.value };
  }

  /** The name stays taken; nothing else of it is needed any more. */
  #markDelivered(id: string): void {
    this.#delivered.add(id);
    this.#slots.set(id, DELIVERED);
  }

  async #deliver(id: string, settlement: Settlement): Promise<Settled> {
    // Through text, so that the driver sees live exactly what a replay will show it.
    const kept = JSON.parse(JSON.stringify(settlement)) as Settlement;
    await this.#o.journal.addEntry(this.runId, this.#seq++, id, kept);
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
    const work = async (): Promise<Json> => {
      signal.throwIfAborted();
      return fn({ signal });
    };
    work().then(
      (value) => this.#settle(id, { ok: true, value: value ?? null }),
      (error: unknown) => {
        if (!isTroupeError(error) && !signal.aborted)
          this.#o.log.error("a step broke", { runId: this.runId, step: id, error });
        this.#settle(id, { ok: false, error: toSettledError(error) });
      },
    );
  }

  #wait(name: string, slot: Slot, due: number): void {
    const left = Math.max(0, due - this.#o.clock.now());
    slot.cancelTimer = this.#o.clock.schedule(Math.min(left, MAX_TIMER_MS), () => {
      if (this.#o.clock.now() < due) this.#wait(name, slot, due);
      else this.#settle(name, { ok: true, value: null });
    });
  }

  #settle(id: string, settlement: Settlement): void {
    if (this.#ready.has(id) || this.#delivered.has(id)) return;
    this.#ready.set(id, settlement);
    this.#wake?.();
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#wake?.();
  }
}
