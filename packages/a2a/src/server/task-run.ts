import type { Message, Task, TaskState } from "@a2a-js/sdk";
import type { Log, Metrics } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { Stop } from "../run/stop.ts";
import type { TaskStore } from "../store/task-store.ts";
import { liveTask } from "../wire/apply-event.ts";
import { createEncoder, type Encoder } from "../wire/encode/encoder.ts";
import { createLedger } from "../wire/ledger.ts";
import type { Metadata, WireEvent } from "../wire/parts.ts";
import { nextOrderIn } from "../wire/records.ts";
import { isSettled } from "../wire/state.ts";

export interface TaskRunOptions {
  readonly owner: string;
  /** Taken over; it changes while the run goes on. */
  readonly task: Task;
  readonly turn: number;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Name of the agent, for what is counted. */
  readonly agent: string;
  readonly structured: boolean;
  readonly coalesceMs: number;
}

/** Updates a subscriber may be behind; one that is slower is cut off and may subscribe again. */
const MAX_BEHIND = 10_000;

/**
 * One turn of a task while it is worked on. Every update is applied before anybody is told, and a
 * subscriber gets its snapshot and its place among the listeners in one synchronous step: nothing
 * can fall in between, so nothing is lost and nothing comes twice.
 */
export class TaskRun {
  readonly id: string;
  readonly owner: string;
  readonly encoder: Encoder;
  readonly #controller = new AbortController();
  readonly #live: ReturnType<typeof liveTask>;
  readonly #options: TaskRunOptions;
  readonly #listeners = new Set<(event: WireEvent | undefined) => void>();
  readonly #settled = Promise.withResolvers<void>();
  readonly #subscribed = Promise.withResolvers<void>();
  #stop: Stop | undefined;
  #unsaved: WireEvent[] = [];
  #saving: Promise<void> | undefined;
  #gone = false;

  constructor(options: TaskRunOptions) {
    const { task, clock, newId, log, turn, structured, coalesceMs } = options;
    this.id = task.id;
    this.owner = options.owner;
    this.#options = options;
    this.#live = liveTask(task);
    const ledger = createLedger({
      task,
      emit: (event) => this.#publish(event),
      known: task.artifacts.map((artifact) => artifact.artifactId),
      log,
      metrics: options.metrics,
      agent: options.agent,
    });
    const status = (state: TaskState, message: Message | undefined, metadata: Metadata): void =>
      this.#publish({
        $case: "statusUpdate",
        value: {
          taskId: task.id,
          contextId: task.contextId,
          status: { state, message, timestamp: new Date(clock.now()).toISOString() },
          metadata: { ...metadata },
        },
      });
    const firstOrder = nextOrderIn(task, turn);
    this.encoder = createEncoder({
      task,
      ledger,
      status,
      clock,
      newId,
      turn,
      firstOrder,
      structured,
      coalesceMs,
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The turn is over: ended, or waiting for somebody. */
  get settled(): boolean {
    return isSettled(this.#live.task.status?.state);
  }

  /** Resolves when the turn is over. */
  get whenSettled(): Promise<void> {
    return this.#settled.promise;
  }

  /** Resolves when somebody follows it. */
  get whenSubscribed(): Promise<void> {
    return this.#subscribed.promise;
  }

  /** What a run that was told to stop ends as. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  abort(stop: Stop): void {
    this.#stop ??= stop;
    this.#controller.abort(new DOMException(stop.why, "AbortError"));
  }

  snapshot(): Task {
    return this.#live.snapshot();
  }

  /** The task itself, for the store; nobody else may hold it. */
  get task(): Task {
    return this.#live.task;
  }

  /** Snapshot, then updates until the turn is over, the reader is too slow, or `signal` aborts. */
  subscribe(signal?: AbortSignal): AsyncGenerator<WireEvent, void, undefined> {
    const queue: (WireEvent | undefined)[] = [{ $case: "task", value: this.snapshot() }];
    if (this.settled || this.#gone) queue.push(undefined);
    let wake = Promise.withResolvers<void>();
    const listener = (event: WireEvent | undefined): void => {
      // What it missed it gets as a snapshot; keeping it would only fill the memory.
      if (queue.length >= MAX_BEHIND) queue.splice(0, queue.length, undefined);
      else queue.push(event);
      wake.resolve();
    };
    const stop = (): void => listener(undefined);
    this.#listeners.add(listener);
    this.#subscribed.resolve();
    signal?.addEventListener("abort", stop, { once: true });
    const leave = (): void => {
      this.#listeners.delete(listener);
      signal?.removeEventListener("abort", stop);
    };
    return drain(
      queue,
      async () => {
        await wake.promise;
        wake = Promise.withResolvers();
      },
      leave,
    );
  }

  /**
   * Somebody else goes on with it, or this process at its next start: streams end, and what still
   * comes of it here is neither told nor stored.
   */
  letGo(): void {
    this.#gone = true;
    this.#disconnect();
  }

  /** Everything published so far has reached the store. */
  async saved(): Promise<void> {
    while (this.#saving !== undefined) await this.#saving;
  }

  /**
   * Begins a task anew that was cut off: what it had is replaced by what it has now. For the first
   * thing a run does.
   */
  begin(): void {
    this.#unsaved.push({ $case: "task", value: this.#live.task });
    this.#saving ??= this.#save();
  }

  #publish(event: WireEvent): void {
    if (this.#gone) return;
    this.#live.apply(event);
    this.#unsaved.push(event);
    this.#saving ??= this.#save();
    if (this.settled) void this.#settle(event);
    else for (const listener of this.#listeners) listener(event);
  }

  /** How a turn ended is stored before anybody hears of it, so that no crash takes it back. */
  async #settle(event: WireEvent): Promise<void> {
    await this.saved();
    for (const listener of this.#listeners) listener(event);
    const { metrics, agent } = this.#options;
    const outcome = event.$case === "statusUpdate" ? event.value.metadata?.["outcome"] : undefined;
    metrics.count("troupe_turns_total", 1, { agent, outcome: typeof outcome === "string" ? outcome : "" });
    this.#disconnect();
    this.#settled.resolve();
  }

  #disconnect(): void {
    for (const listener of this.#listeners) listener(undefined);
  }

  async #save(): Promise<void> {
    const { store, owner, log } = this.#options;
    // Let a burst gather first: one write for all that is published in the same turn of the loop.
    await Promise.resolve();
    while (this.#unsaved.length > 0) {
      const changes = this.#unsaved;
      this.#unsaved = [];
      try {
        await store.save(owner, this.#live.task, changes);
      } catch (error) {
        log.error("task not saved", { taskId: this.id, error });
      }
    }
    this.#saving = undefined;
  }
}

async function* drain(
  queue: (WireEvent | undefined)[],
  wait: () => Promise<void>,
  leave: () => void,
): AsyncGenerator<WireEvent, void, undefined> {
  try {
    for (;;) {
      // Taken as a batch: shifting one by one is quadratic on a long queue.
      const batch = queue.splice(0);
      for (const event of batch) {
        if (event === undefined) return;
        yield event;
      }
      if (queue.length === 0) await wait();
    }
  } finally {
    leave();
  }
}
