import {
  CancelledError,
  RestatePromise,
  serde,
  type TerminalError,
  type WorkflowContext,
} from "@restatedev/restate-sdk";
import type { Log } from "@troupe/core";
import type { AgentEvent, Json } from "@troupe/stream";
import {
  CANCEL_SIGNAL,
  END_KEY,
  NamedSlots,
  settleStep,
  toSettledError,
  WorkflowError,
  type EngineContext,
  type Pending,
  type RunLog,
  type Settled,
  type Settlement,
  type StepFunction,
} from "@troupe/workflow";

import { bytesOf, inMegabytes, MAX_RESULTS_BYTES, MAX_VALUE_BYTES } from "./limits.ts";

export interface RestateContextOptions {
  readonly restate: WorkflowContext;
  readonly events: RunLog;
  readonly log: Log;
  /** When this attempt began. */
  readonly takenUpAt: number;
  /** How often a run tells Restate that its steps are at work. */
  readonly beatMs: number;
  /** Of the results it keeps of an earlier run. */
  readonly keptBytes: number;
}

interface Slot {
  readonly arrival: RestatePromise<Settled>;
  /** Of steps only. */
  readonly abort?: AbortController;
}

const CANCEL_ID = `signal:${CANCEL_SIGNAL}`;

/** What a run is told that an operator of Restate canceled. */
export const CANCELED = { ok: true, value: { reason: "canceled in Restate" } } as const satisfies Settlement;

/**
 * One attempt of a run on Restate, which replays its journal by calling the driver anew. Everything a
 * driver waits for is a command of that journal, in the order in which the driver asked for it.
 */
export class RestateContext implements EngineContext {
  readonly runId: string;
  readonly takenUpAt: number;
  /** Names of what was handed out so far. */
  readonly order: string[] = [];
  /** Whether the driver told how the run ended. */
  toldEnd = false;
  readonly #o: RestateContextOptions;
  readonly #restate: WorkflowContext;
  /** Aborts when Restate has ended this attempt, or has lost it. */
  readonly #attempt: AbortSignal;
  readonly #slots = new NamedSlots<Slot>();
  /** Bytes of what each step and signal brought. */
  readonly #sizes = new Map<string, number>();
  #held: number;
  #beat: RestatePromise<"beat"> | undefined;
  /** Canceled by an operator of Restate, who gives no reason, rather than by the signal. */
  #canceledByOperator = false;

  constructor(options: RestateContextOptions) {
    this.#o = options;
    this.#restate = options.restate;
    this.runId = options.restate.key;
    this.takenUpAt = options.takenUpAt;
    this.#attempt = options.restate.request().attemptCompletedSignal;
    this.#held = options.keptBytes;
  }

  step(id: string, fn: StepFunction): Pending {
    const abort = new AbortController();
    // Its action never throws, so there is nothing for Restate to try again.
    const options = { serde: serde.binary, maxRetryAttempts: 1 };
    this.#slots.add(id, () => ({
      arrival: this.#restate
        .run(id, () => this.#work(id, fn, abort.signal), options)
        .map((bytes, failure) => this.#arrived(id, bytes, failure)),
      abort,
    }));
    return { id };
  }

  waitSignal(name: string): Pending {
    const id = `signal:${name}`;
    this.#slots.add(id, () => ({
      arrival: this.#restate
        .promise(name, serde.binary)
        .get()
        .map((bytes, failure) => this.#arrived(id, bytes, failure)),
    }));
    return { id };
  }

  timer(name: string, ms: number): Pending {
    const id = `timer:${name}`;
    this.#slots.add(id, () => ({
      arrival: this.#restate
        .sleep(Math.max(0, Math.ceil(ms)), id)
        .map((): Settled => ({ id, ok: true, value: null })),
    }));
    return { id };
  }

  async next(running: readonly [Pending, ...Pending[]]): Promise<Settled> {
    const slots = running.map(({ id }) => this.#slots.awaited(id));
    const cancelable = running.some(({ id }) => id === CANCEL_ID);
    const working = slots.some((slot) => slot.abort !== undefined);
    for (;;) {
      if (cancelable && this.#canceledByOperator) return this.#deliver({ id: CANCEL_ID, ...CANCELED });
      const arrivals = slots.map((slot) => slot.arrival);
      try {
        const arrival = await RestatePromise.race(working ? [...arrivals, this.#nextBeat()] : arrivals);
        if (arrival !== "beat") return this.#deliver(arrival);
        this.#beat = undefined;
      } catch (error) {
        if (!(error instanceof CancelledError)) throw error;
        this.#canceledByOperator = true;
      }
    }
  }

  abort(p: Pending): void {
    this.#slots
      .get(p.id)
      ?.abort?.abort(new WorkflowError("workflow.internal", `"${p.id}" was given up by its run`));
  }

  emit(key: string, event: Json): void {
    if (key === END_KEY) this.toldEnd = true;
    // The driver makes events of nothing else.
    this.#o.events.append(this.runId, key, event as unknown as AgentEvent);
  }

  /** Aborts what still runs: the run has ended. */
  close(): void {
    const reason = new WorkflowError("workflow.closed", `run "${this.runId}" has ended`);
    for (const { abort } of this.#slots.held()) abort?.abort(reason);
  }

  #deliver(settled: Settled): Settled {
    this.#slots.deliver(settled.id);
    this.order.push(settled.id);
    return settled;
  }

  /**
   * Restate suspends a run that says nothing for its inactivity timeout. A run whose steps are at work it
   * cannot suspend, but it stops telling it anything, signals and timers included, until they are done.
   * So a run says something from time to time while it waits for steps, and nothing while it does not.
   */
  #nextBeat(): RestatePromise<"beat"> {
    this.#beat ??= this.#restate.sleep(this.#o.beatMs, "beat").map(() => "beat" as const);
    return this.#beat;
  }

  /** A step's value or error as bytes of JSON; an error is a value, so that it ends nobody else's work. */
  async #work(id: string, fn: StepFunction, given: AbortSignal): Promise<Uint8Array> {
    const signal = AbortSignal.any([given, this.#attempt]);
    const settlement = await settleStep(fn, signal, (error) =>
      this.#o.log.error("a step broke", { runId: this.runId, step: id, error }),
    );
    // What runs in an attempt that is over is for the next one to do again; nothing of it may count.
    if (this.#attempt.aborted) return new Promise<never>(() => undefined);
    const text = JSON.stringify(settlement);
    const bytes = bytesOf(text);
    const all = this.#held + bytes;
    if (bytes <= MAX_VALUE_BYTES && all <= MAX_RESULTS_BYTES) {
      this.#hold(id, bytes);
      return Buffer.from(text);
    }
    const message =
      bytes > MAX_VALUE_BYTES
        ? `"${id}" ended with ${inMegabytes(bytes)}, of at most ${inMegabytes(MAX_VALUE_BYTES)}`
        : `with "${id}" the run would hold results of ${inMegabytes(all)}, of at most ${inMegabytes(MAX_RESULTS_BYTES)}`;
    const error = {
      code: "workflow.too-large",
      message: `${message}. Hand on what is large as a file.`,
      retryable: false,
    };
    return Buffer.from(JSON.stringify({ ok: false, error } satisfies Settlement));
  }

  #arrived(id: string, bytes: Uint8Array | undefined, failure: TerminalError | undefined): Settled {
    if (bytes === undefined) return { id, ok: false, error: toSettledError(failure) };
    this.#hold(id, bytes.length);
    const settlement = JSON.parse(Buffer.from(bytes).toString("utf8")) as Settlement;
    return { id, ...settlement };
  }

  /** Counts it once, whether it was made here, is replayed, or both. */
  #hold(id: string, bytes: number): void {
    this.#held += bytes - (this.#sizes.get(id) ?? 0);
    this.#sizes.set(id, bytes);
  }
}
