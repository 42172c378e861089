import type { Task } from "@a2a-js/sdk";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";

import type { AgentRuntimeOptions, Found } from "./runtime-options.ts";
import { EventLog, type LogCapacity } from "./event-log.ts";
import { SettledLogs } from "./settled-logs.ts";
import { TaskRun } from "./task-run.ts";

/** Hexadecimal digits that tell the logs of one task apart. */
const EPOCH_LENGTH = 12;

const REPLAY: LogCapacity = { events: 4_000, bytes: 4 * 1024 * 1024 };
/** What all running turns may keep, so that many at once leave each a share. */
const MAX_BYTES_TOGETHER = 64 * 1024 * 1024;

/**
 * The turns that this process works on, by task. A run is held from before its task is stored until
 * all of it has been, so whoever finds none may trust the store.
 */
export class HeldRuns {
  readonly #options: AgentRuntimeOptions;
  readonly #runs = new Map<string, TaskRun>();
  readonly #settled: SettledLogs;

  constructor(options: AgentRuntimeOptions) {
    this.#options = options;
    this.#settled = new SettledLogs(options.clock);
  }

  /** A run of this task; not held yet. The task is taken over. */
  create(owner: string, task: Task, turn: number, structured: boolean, cutOff = false): TaskRun {
    const { store, clock, newId, log, metrics, coalesceMs } = this.#options;
    const agent = this.#options.agent.profile.name;
    const parts = { store, clock, newId, log, metrics, coalesceMs };
    const events = this.#newLog();
    return new TaskRun({ ...parts, owner, task, turn, agent, structured, events, cutOff });
  }

  hold(run: TaskRun): void {
    this.#runs.set(run.id, run);
    this.#settled.drop(run.id);
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
    const task = await this.#options.store.load(owner, taskId);
    // A reply may have set it going again while it was loaded.
    const begun = this.runOf(owner, taskId);
    if (begun !== undefined) return { run: begun };
    if (task === undefined) throw new TaskNotFoundError(`Task not found: ${taskId}`);
    const log = this.#settled.logOf(owner, taskId);
    return log === undefined ? { task } : { task, log };
  }

  #newLog(): EventLog {
    const { newId, yieldToLoop, replay = REPLAY } = this.#options;
    const epoch = newId().replaceAll("-", "").slice(-EPOCH_LENGTH);
    const capacity = (): LogCapacity => ({
      events: replay.events,
      bytes: Math.min(replay.bytes, MAX_BYTES_TOGETHER / Math.max(1, this.#runs.size)),
    });
    return new EventLog({ epoch, capacity, yieldToLoop });
  }
}
