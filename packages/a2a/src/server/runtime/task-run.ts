import { TaskState as State, type Message, type Task, type TaskState } from "@a2a-js/sdk";
import { unreadFileNotes, type Log, type Metrics } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { TAKEN_OVER, type Stop } from "../../run/stop.ts";
import type { StoredTask, TaskStore } from "../../store/task-store.ts";
import { copyTask, liveTask } from "../../wire/apply-event.ts";
import { createEncoder, type Encoder } from "../../wire/encode/encoder.ts";
import { unreadFilesIn } from "../../wire/file-part.ts";
import { createLedger } from "../../wire/ledger.ts";
import type { Metadata, WireEvent } from "../../wire/parts.ts";
import { nextOrderIn } from "../../wire/records.ts";
import { isSettled, stateOf } from "../../wire/state.ts";
import { UnavailableError } from "../status-error.ts";
import type { EventLog, ToldEvent } from "./event-log.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { TaskSaver } from "./task-saver.ts";
import { TurnReaders, type SubscribeOptions } from "./turn-readers.ts";

export interface TaskRunOptions {
  readonly owner: string;
  /** Taken over; it changes while the run goes on. */
  readonly task: Task;
  /** At which the task is stored; 0 for one that is still to be claimed. */
  readonly version: number;
  /** This runtime, where others have the store too. */
  readonly holder: string | undefined;
  /** From when a store that is away is not waited for. */
  readonly closing: AbortSignal;
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
  /** Another process had this turn, and may have told more of it than it had stored. */
  readonly cutOff?: boolean;
  /** Told when the turn begins and when it is over. */
  readonly changed?: AgentRuntimeOptions["changed"];
  /** Empty; this turn's own. */
  readonly events: EventLog;
}

/** More than any process tells of a turn before it is stored. */
const TOLD_UNSTORED = 2 ** 32;

function endNotStored(taskId: string): Error {
  return new UnavailableError(
    `Task ${taskId} ended, but its final state could not be saved. Check the agent's disk and log.`,
  );
}

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
  /** What was told of this turn, for readers that follow it and those that come back. */
  readonly events: EventLog;
  readonly #saver: TaskSaver;
  readonly #readers: TurnReaders;
  readonly #settled = Promise.withResolvers<void>();
  readonly #stopped = Promise.withResolvers<void>();
  #stop: Stop | undefined;
  #gone = false;
  /** Updates that the task holds. The last of a turn is applied before it is told. */
  #applied = 0;
  /** How the task stood before its end was applied, until that is told. */
  #beforeEnd: Pick<Task, "status" | "metadata"> | undefined;
  #lost = false;

  constructor(options: TaskRunOptions) {
    const { task, clock, newId, log, turn, structured, coalesceMs } = options;
    this.id = task.id;
    this.owner = options.owner;
    this.events = options.events;
    this.#readers = new TurnReaders(options.events);
    this.#options = options;
    this.#live = liveTask(task);
    const { store, owner, version, holder, closing } = options;
    const onLost = (): void => this.#lose();
    const onAway = (): void => this.#tellAway();
    this.#saver = new TaskSaver({ store, owner, task, version, holder, clock, log, onLost, onAway, closing });
    const ledger = createLedger({
      task,
      emit: (event) => this.#publish(event),
      known: task.artifacts.map((artifact) => artifact.artifactId),
      log,
      metrics: options.metrics,
      agent: options.agent,
    });
    // No number a reader may have seen stands for something else now: it would not be read again.
    const firstOrder = nextOrderIn(task, turn) + (options.cutOff === true ? TOLD_UNSTORED : 0);
    this.encoder = createEncoder({
      task,
      ledger,
      status: (...told) => this.#publishStatus(...told),
      clock,
      newId,
      turn,
      firstOrder,
      earlier: task.artifacts,
      structured,
      coalesceMs,
      notes: unreadFileNotes(unreadFilesIn(task.history.at(-1)?.parts ?? [])),
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The turn is over: ended, or waiting for somebody. */
  get settled(): boolean {
    return isSettled(this.#live.task.status?.state);
  }

  /** No more events of this turn reach readers. */
  get over(): boolean {
    return (this.settled && !this.#endUnstored) || this.#gone;
  }

  /** More was told since the loop had its last turn than is kept for readers. */
  get crowded(): boolean {
    return this.events.crowded;
  }

  /** Resolves when the turn is over. */
  get whenSettled(): Promise<void> {
    return this.#settled.promise;
  }

  /** Somebody has followed it. */
  get followed(): boolean {
    return this.#readers.followed;
  }

  /** Resolves when it is told to stop. */
  get whenStopped(): Promise<void> {
    return this.#stopped.promise;
  }

  /** What a run that was told to stop ends as. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  abort(stop: Stop): void {
    this.#stop ??= stop;
    this.#controller.abort(new DOMException(stop.why, "AbortError"));
    this.#stopped.resolve();
  }

  /** As anybody may hear of it: without the end of its turn while that is not stored. */
  snapshot(): Task {
    const task = this.#live.snapshot();
    return this.#endUnstored ? { ...task, ...this.#beforeEnd } : task;
  }

  get #endUnstored(): boolean {
    return this.#beforeEnd !== undefined && this.#saver.saving;
  }

  /** The task itself, for the store; nobody else may hold it. */
  get task(): Task {
    return this.#live.task;
  }

  /**
   * Snapshot, then updates until the turn is over, the reader is too slow, or `signal` aborts. A
   * reader that comes back with the id of the last update it had gets exactly what came after it,
   * where that is still kept, and no snapshot.
   */
  subscribe(options: SubscribeOptions = {}): AsyncGenerator<ToldEvent, void, undefined> {
    return this.#readers.subscribe(options, {
      snapshot: () => this.snapshot(),
      applied: this.#applied - (this.#endUnstored ? 1 : 0),
      over: this.over,
    });
  }

  /**
   * Somebody else goes on with it, or this process at its next start: streams end, and what still
   * comes of it here is neither told nor stored.
   */
  letGo(): void {
    this.#gone = true;
    this.events.close();
  }

  /** The task as it is here and stored, once all of it has been. */
  stored(): StoredTask {
    return { task: this.snapshot(), version: this.#saver.version };
  }

  /** The task was claimed, at this version; for before the run begins. */
  claimed(version: number): void {
    this.#saver.claimed(version);
  }

  /** Somebody else has the task: what the store says of it counts, not what is here. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Everything published so far has reached the store. */
  saved(): Promise<void> {
    return this.#saver.saved();
  }

  /**
   * Begins a task anew that was cut off: what it had is replaced by what it has now. For the first
   * thing a run does.
   */
  begin(): void {
    this.#saver.push({ $case: "task", value: this.#live.task });
  }

  /** The turn of a task that was submitted has come. */
  beginWork(): void {
    this.#publishStatus(State.TASK_STATE_WORKING, undefined, {});
  }

  /** Ends the turn with nothing but its state, where the encoder cannot any more. */
  endBluntly({ outcome, error }: Stop): void {
    const code = error === undefined ? {} : { error_code: error.code };
    this.#publishStatus(stateOf(outcome), undefined, { outcome, ...code });
  }

  #publishStatus(state: TaskState, message: Message | undefined, metadata: Metadata): void {
    const { task, clock } = this.#options;
    this.#publish({
      $case: "statusUpdate",
      value: {
        taskId: task.id,
        contextId: task.contextId,
        status: { state, message, timestamp: new Date(clock.now()).toISOString() },
        metadata: { ...metadata },
      },
    });
  }

  /** The task has begun its turn, or is at rest; stored either way. */
  tellState(): void {
    this.#options.changed?.({ owner: this.owner, taskId: this.id }, () => this.snapshot());
  }

  #publish(event: WireEvent): void {
    if (this.#gone) return;
    if (isEnd(event)) {
      const { status, metadata } = copyTask({ ...this.#live.task, artifacts: [], history: [] });
      this.#beforeEnd = { status, metadata };
    }
    this.#live.apply(event);
    this.#applied++;
    this.#saver.push(event);
    if (this.settled) void this.#settle(event);
    else this.#readers.tell(event);
  }

  /** How a turn ended is stored before anybody hears of it, so that no crash takes it back. */
  async #settle(event: WireEvent): Promise<void> {
    await this.saved();
    this.events.hold(undefined);
    this.#beforeEnd = undefined;
    if (this.#gone) return;
    this.#readers.tell(event);
    this.tellState();
    const { metrics, agent } = this.#options;
    const outcome = event.$case === "statusUpdate" ? event.value.metadata?.["outcome"] : undefined;
    metrics.count("troupe_turns_total", 1, { agent, outcome: typeof outcome === "string" ? outcome : "" });
    this.events.close();
    this.#settled.resolve();
  }

  /**
   * Whoever waits for an end that cannot be stored has nothing else to hear. A store that processes share is away
   * for whoever asks, too, and waited for.
   */
  #tellAway(): void {
    if (this.#endUnstored && this.#options.holder === undefined) this.events.hold(endNotStored(this.id));
  }

  #lose(): void {
    this.#lost = true;
    this.letGo();
    this.abort(TAKEN_OVER);
    this.#settled.resolve();
  }
}

function isEnd(event: WireEvent): boolean {
  return event.$case === "statusUpdate" && isSettled(event.value.status?.state);
}
