import type { TaskStatus } from "@a2a-js/sdk";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import { isTroupeError } from "@troupe/core";

import { isConflict } from "../../store/conflict.ts";
import { keyOf } from "../../store/key-of.ts";
import type { SharedTasks, TaskKey } from "../../store/shared-tasks.ts";
import type { From } from "../../store/from.ts";
import type { StoredTask, UnfinishedTask } from "../../store/task-store.ts";
import { isSettled } from "../../wire/state.ts";
import { HeldElsewhere } from "./held-elsewhere.ts";
import { snapshotOf, type Found } from "./found.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { EventLog, type LogCapacity } from "./event-log.ts";
import { SettledLogs } from "./settled-logs.ts";
import { TaskRun, type TaskRunOptions } from "./task-run.ts";

/** Hexadecimal digits that tell the logs of one task apart. */
const EPOCH_LENGTH = 12;

const REPLAY: LogCapacity = { events: 4_000, bytes: 4 * 1024 * 1024 };
/** What all running turns may keep, so that many at once leave each a share. */
const MAX_BYTES_TOGETHER = 64 * 1024 * 1024;

/** A statement that was given up may still be done by the database for so long, in milliseconds. */
const DOUBT_MS = 30_000;

/** Milliseconds between two reads of a task that waits for a reply: with a store that processes share, and without. */
const SHARED_POLL_MS = 1_000;
const OWN_POLL_MS = 60_000;

type NewTurn = Pick<TaskRunOptions, "turn" | "structured" | "cutOff">;

/**
 * The turns that this process works on, by task. A run is held from before its task is stored until
 * all of it has been, so whoever finds none may trust the store.
 */
export class HeldRuns {
  readonly #options: AgentRuntimeOptions;
  readonly #runs = new Map<string, TaskRun>();
  readonly #settled: SettledLogs;
  readonly #closing = new AbortController();
  /** Readers of tasks that wait, by task: aborted when a turn begins. */
  readonly #awaited = new Map<string, Set<AbortController>>();
  readonly #doubts = new Map<string, TaskKey & { readonly since: number }>();
  /** This runtime's name, where others have the store too. */
  readonly holder: string | undefined;

  constructor(options: AgentRuntimeOptions) {
    this.#options = options;
    this.#settled = new SettledLogs(options.clock);
    this.holder = options.store.shared === undefined ? undefined : options.newId();
  }

  /** A store that is away is not waited for any more. */
  close(): void {
    this.#closing.abort();
  }

  /** What a change by this runtime goes out from. */
  from(version: number): From {
    return this.holder === undefined ? { version } : { version, holder: this.holder };
  }

  /** A run of the task that is stored at this version, 0 when it is new; not held yet. The task is taken over. */
  create(
    owner: string,
    { task, version }: Pick<StoredTask, "task" | "version">,
    { turn, structured, cutOff = false }: NewTurn,
  ): TaskRun {
    const { store, clock, newId, log, metrics, coalesceMs, changed } = this.#options;
    const agent = this.#options.agent.profile.name;
    const { signal: closing } = this.#closing;
    const parts = { store, clock, newId, log, metrics, coalesceMs, holder: this.holder, closing };
    const events = this.#newLog();
    return new TaskRun({
      ...(changed === undefined ? {} : { changed }),
      ...parts,
      owner,
      task,
      version,
      turn,
      agent,
      structured,
      events,
      cutOff,
    });
  }

  /**
   * Makes this runtime the one that works on a task nobody works on. Answers its next version;
   * undefined when somebody else was sooner.
   */
  async take(
    shared: SharedTasks,
    { owner, taskId, version }: TaskKey & { readonly version: number },
  ): Promise<number | undefined> {
    try {
      return await shared.take(owner, taskId, { version, holder: this.holder ?? "" });
    } catch (error) {
      if (isConflict(error)) return undefined;
      this.doubt({ owner, taskId });
      throw error;
    }
  }

  /** A change by which this runtime may have come to hold the task failed, or did not: nobody can tell yet. */
  doubt(key: TaskKey): void {
    if (this.holder === undefined) return;
    this.#doubts.set(keyOf(key.owner, key.taskId), { ...key, since: this.#options.clock.now() });
  }

  /** What this runtime was left to hold by such a change and does not work on. */
  async abandoned(): Promise<readonly UnfinishedTask[]> {
    const { store, clock } = this.#options;
    const found: UnfinishedTask[] = [];
    for (const [name, { owner, taskId, since }] of this.#doubts) {
      const stored = await store.load(owner, taskId);
      const mine = stored?.holder?.id === this.holder && !this.has(taskId);
      if (stored !== undefined && mine && !isSettled(stored.task.status?.state))
        found.push({ ...stored, owner });
      else if (clock.now() - since > DOUBT_MS) this.#doubts.delete(name);
    }
    return found;
  }

  hold(run: TaskRun): void {
    this.#runs.set(run.id, run);
    this.#settled.drop(run.id);
    for (const begun of this.#awaited.get(run.id) ?? []) begun.abort();
  }

  /**
   * The task once its status is another one: it was answered, or has ended. Undefined when it is gone, `signal`
   * aborts or this runtime closes. Replies that reached another process are found by polling.
   */
  async whenChanged(
    { owner, taskId }: TaskKey,
    known: TaskStatus,
    signal: AbortSignal | undefined,
  ): Promise<Found | undefined> {
    const { store, clock, log } = this.#options;
    const { signal: closing } = this.#closing;
    const until = signal === undefined ? closing : AbortSignal.any([closing, signal]);
    const pollMs = store.shared === undefined ? OWN_POLL_MS : SHARED_POLL_MS;
    while (!until.aborted) {
      // Registered before the task is read, so that a turn that begins meanwhile is not missed.
      const begun = new AbortController();
      const awaited = this.#awaited.get(taskId) ?? new Set();
      this.#awaited.set(taskId, awaited.add(begun));
      try {
        const found = await this.find(owner, taskId);
        const working = "run" in found && !found.run.over;
        if (working || !isSameStatus(snapshotOf(found).status, known)) return found;
        await clock.sleep(pollMs, AbortSignal.any([until, begun.signal])).catch(() => undefined);
      } catch (error) {
        if (error instanceof TaskNotFoundError) return undefined;
        if (!isTroupeError(error)) throw error;
        log.warn("a task that waits for a reply cannot be read", { taskId, error });
        await clock.sleep(pollMs, until).catch(() => undefined);
      } finally {
        awaited.delete(begun);
        if (awaited.size === 0) this.#awaited.delete(taskId);
      }
    }
    return undefined;
  }

  /** Nothing when another turn of the task is held by now. */
  release(run: TaskRun): void {
    if (this.#runs.get(run.id) !== run) return;
    this.#runs.delete(run.id);
    if (run.settled) this.#settled.keep(run);
  }

  /** Whether anybody's task of this id is worked on. */
  has(taskId: string): boolean {
    return this.#runs.has(taskId);
  }

  runOf(owner: string, taskId: string): TaskRun | undefined {
    const run = this.#runs.get(taskId);
    return run?.owner === owner ? run : undefined;
  }

  all(): readonly TaskRun[] {
    return [...this.#runs.values()];
  }

  /** Throws `TaskNotFoundError`, also where the task is somebody else's. */
  async find(owner: string, taskId: string): Promise<Found> {
    const run = this.runOf(owner, taskId);
    if (run !== undefined) return { run };
    const stored = await this.#options.store.load(owner, taskId);
    // A reply may have set it going again while it was loaded.
    const begun = this.runOf(owner, taskId);
    if (begun !== undefined) return { run: begun };
    if (stored === undefined) throw new TaskNotFoundError(`Task not found: ${taskId}`);
    const elsewhere = this.#elsewhere(owner, stored);
    if (elsewhere !== undefined) return { elsewhere };
    const events = this.#settled.logOf(owner, taskId);
    return events === undefined ? stored : { ...stored, events };
  }

  /** What is not over and not worked on here is worked on by another process, or is about to be. */
  #elsewhere(owner: string, stored: StoredTask): HeldElsewhere | undefined {
    const { store, clock, log } = this.#options;
    const { shared } = store;
    if (shared === undefined || isSettled(stored.task.status?.state)) return undefined;
    const { signal: closing } = this.#closing;
    return new HeldElsewhere({ store, shared, owner, stored, clock, log, closing });
  }

  #newLog(): EventLog {
    const { newId, yieldToLoop, replay = REPLAY } = this.#options;
    const newEpoch = (): string => newId().replaceAll("-", "").slice(-EPOCH_LENGTH);
    const capacity = (): LogCapacity => ({
      events: replay.events,
      bytes: Math.min(replay.bytes, MAX_BYTES_TOGETHER / Math.max(1, this.#runs.size)),
    });
    return new EventLog({ newEpoch, capacity, yieldToLoop });
  }
}

function isSameStatus(status: TaskStatus | undefined, known: TaskStatus): boolean {
  return (
    status?.state === known.state &&
    status.timestamp === known.timestamp &&
    status.message?.messageId === known.message?.messageId
  );
}
