import { TaskState, type Message, type Task } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import {
  isTroupeError,
  type AgentRequest,
  type Log,
  type Metrics,
  type RunnableAgent,
  type Turn,
} from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { endOf, execute } from "../run/execute.ts";
import { CANCEL, RESTART, SHUTDOWN, STOP_GRACE_MS, type Stop } from "../run/stop.ts";
import type { TaskStore } from "../store/task-store.ts";
import { EXT } from "../wire/extension.ts";
import { textOf } from "../wire/parts.ts";
import { readRecord, runIdOf } from "../wire/records.ts";
import { fromMessage } from "../wire/request.ts";
import { isTerminal } from "../wire/state.ts";
import { checkMessage } from "./check-message.ts";
import { historyOf } from "./history.ts";
import { TaskRun } from "./task-run.ts";

export interface AgentRuntimeOptions {
  readonly agent: RunnableAgent;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly coalesceMs: number;
  /** See `ServeAgentOptions`. */
  readonly handOver?: boolean;
  readonly yieldToLoop: () => Promise<void>;
}

export interface SubmitOptions {
  readonly owner: string;
  /** Who asks, when somebody was authenticated. */
  readonly userId?: string;
  /** Results as data parts. */
  readonly structured: boolean;
}

/** A task as a reader finds it: being worked on, or at rest. */
export type Found = { readonly run: TaskRun } | { readonly task: Task };

/**
 * Puts messages to the agent and keeps what comes of it. It knows nothing of HTTP, so every
 * binding behaves the same.
 */
export class AgentRuntime {
  readonly #options: AgentRuntimeOptions;
  readonly #runs = new Map<string, TaskRun>();
  /** Messages on their way to a task, registered before anything is awaited. */
  readonly #submitting = new Map<string, Promise<Found>>();
  #closing = false;

  constructor(options: AgentRuntimeOptions) {
    this.#options = options;
  }

  /**
   * Sees to what was cut off, so that nothing stays working for ever: it is marked as failed, or
   * where the work outlives the process it is asked for again and told from its start.
   */
  async recover(): Promise<void> {
    for (const { owner, task } of await this.#options.store.unfinished()) {
      const said = this.#options.handOver === true ? task.history.at(-1) : undefined;
      if (said !== undefined && this.#resume(owner, task, said)) continue;
      const run = this.#newRun(owner, task, turnOf(task), false);
      this.#end(run, RESTART);
      await run.saved();
      await this.#letGo(task);
    }
  }

  #resume(owner: string, task: Task, message: Message): boolean {
    try {
      const { id: taskId, contextId } = task;
      const userId = owner === "" ? undefined : owner;
      const request = readRequest(message, { taskId: runIdOf(task), contextId, history: [], userId });
      const turn = turnOf(task) + 1;
      const metadata = { ...task.metadata, [EXT]: { v: 1, kind: "events", turn, events: [] } };
      // Whoever asked is gone with what it accepts; a result as data is there for both kinds of reader.
      const run = this.#newRun(owner, { ...task, artifacts: [], metadata }, turn, true);
      run.begin();
      this.#runs.set(taskId, run);
      void this.#work(run, { ...request, recovered: true });
      return true;
    } catch (error) {
      this.#options.log.warn("a task that was cut off cannot be asked for again", { taskId: task.id, error });
      return false;
    }
  }

  /** The same message again leads to the same task, running or not. */
  submit(message: Message | undefined, options: SubmitOptions): Promise<Found> {
    const checked = checkMessage(message);
    const key = JSON.stringify([options.owner, checked.messageId]);
    const known = this.#submitting.get(key);
    if (known !== undefined) return known;
    const found = this.#submit(checked, options).finally(() => this.#submitting.delete(key));
    this.#submitting.set(key, found);
    return found;
  }

  async find(owner: string, taskId: string): Promise<Found> {
    const run = this.#runOf(owner, taskId);
    if (run !== undefined) return { run };
    const task = await this.#options.store.load(owner, taskId);
    // A reply may have set it going again while it was loaded.
    const begun = this.#runOf(owner, taskId);
    if (begun !== undefined) return { run: begun };
    if (task === undefined) throw new TaskNotFoundError(`Task not found: ${taskId}`);
    return { task };
  }

  /** Answers the task as it stands once it is canceled or has ended otherwise. */
  async cancel(owner: string, taskId: string): Promise<Task> {
    const found = await this.find(owner, taskId);
    if ("run" in found) {
      if (found.run.settled) await found.run.saved();
      else await this.#stop(found.run, CANCEL);
    }
    const task = "run" in found ? found.run.snapshot() : found.task;
    if (task.status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED) return task;
    // A reply may have set it going again meanwhile.
    const begun = this.#runOf(owner, taskId);
    if (begun !== undefined && !begun.settled) return this.cancel(owner, taskId);
    const run = this.#newRun(owner, task, turnOf(task), false);
    this.#runs.set(taskId, run);
    this.#end(run, CANCEL);
    await run.saved();
    if (this.#runs.get(taskId) === run) this.#runs.delete(taskId);
    await this.#letGo(task);
    return run.snapshot();
  }

  async #letGo(task: Task): Promise<void> {
    try {
      await this.#options.agent.cancel?.(runIdOf(task));
    } catch (error) {
      this.#options.log.warn("agent could not let go of what it asked", { taskId: task.id, error });
    }
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Takes no more work and ends what runs; streams end with it. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#options.handOver === true) {
      for (const run of this.#runs.values()) run.letGo();
      return;
    }
    await Promise.all([...this.#runs.values()].map((run) => this.#stop(run, SHUTDOWN)));
    await Promise.all([...this.#runs.values()].map((run) => run.saved()));
  }

  #runOf(owner: string, taskId: string): TaskRun | undefined {
    const run = this.#runs.get(taskId);
    return run?.owner === owner ? run : undefined;
  }

  async #submit(message: Message, options: SubmitOptions): Promise<Found> {
    const { store, newId } = this.#options;
    const { owner } = options;
    const known = await store.taskOf(owner, message.messageId);
    if (known !== undefined) return this.find(owner, known);
    if (this.#closing) throw new UnsupportedOperationError("The agent is shutting down; ask again later.");
    const resumes = message.taskId !== "";
    const conversation = resumes ? (await this.#resumable(owner, message)).contextId : message.contextId;
    const contextId = conversation || newId();
    const earlier = conversation === "" ? [] : await historyOf(store, owner, conversation);
    // Looked up again, and last: it may have been canceled or answered in the meantime.
    const before = resumes ? await this.#resumable(owner, message) : undefined;
    const history = [...earlier, ...questionOf(before)];
    const taskId = before?.id ?? newId();
    const runId = before === undefined ? taskId : runIdOf(before);
    const request = readRequest(message, { taskId: runId, contextId, history, userId: options.userId });
    if (before !== undefined) checkSameUser(before, request, options.userId);
    // Synchronous from here to `runs.set`: two replies to one question must not both start.
    if (this.#runs.has(taskId)) throw busy(taskId);
    const turn = before === undefined ? 1 : turnOf(before) + 1;
    const task = this.#taskFor({ ...message, taskId, contextId }, before, turn);
    const run = this.#newRun(owner, task, turn, options.structured);
    this.#runs.set(taskId, run);
    try {
      const holder = await store.claim(owner, message.messageId, run.task);
      if (holder !== taskId) {
        this.#runs.delete(taskId);
        return await this.find(owner, holder);
      }
    } catch (error) {
      this.#runs.delete(taskId);
      throw error;
    }
    void this.#work(run, request);
    return { run };
  }

  async #work(run: TaskRun, request: Parameters<RunnableAgent["run"]>[0]): Promise<void> {
    const { agent, yieldToLoop } = this.#options;
    const log = this.#options.log.child({ taskId: run.id });
    // Whoever asked gets to subscribe first, and so to see every update rather than a snapshot.
    await Promise.race([run.whenSubscribed, yieldToLoop()]);
    execute({ agent, request, run, sink: run.encoder, log, yieldToLoop }).catch((error: unknown) =>
      log.error("task could not be ended", { error }),
    );
    await run.whenSettled;
    await run.saved();
    if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
  }

  /** The task a message goes on with; only one that asked for input can be. */
  async #resumable(owner: string, message: Message): Promise<Task> {
    const found = await this.find(owner, message.taskId);
    if ("run" in found && !found.run.settled) throw busy(message.taskId);
    if ("run" in found) await found.run.saved();
    const task = "run" in found ? found.run.snapshot() : found.task;
    if ("run" in found) this.#runs.delete(task.id);
    if (isTerminal(task.status?.state))
      throw new UnsupportedOperationError(
        `Task ${task.id} has ended; send the message without a taskId to start another.`,
      );
    if (message.contextId !== "" && message.contextId !== task.contextId)
      throw new RequestMalformedError(
        `contextId "${message.contextId}" is not that of task ${task.id}, "${task.contextId}".`,
      );
    return task;
  }

  #taskFor(message: Message, before: Task | undefined, turn: number): Task {
    const asked = before?.status?.message;
    return {
      id: message.taskId,
      contextId: message.contextId,
      status: {
        state: TaskState.TASK_STATE_WORKING,
        message: undefined,
        timestamp: new Date(this.#options.clock.now()).toISOString(),
      },
      artifacts: before?.artifacts ?? [],
      history: [...(before?.history ?? []), ...(asked === undefined ? [] : [asked]), message],
      metadata: { ...before?.metadata, [EXT]: { v: 1, kind: "events", turn, events: [] } },
    };
  }

  #newRun(owner: string, task: Task, turn: number, structured: boolean): TaskRun {
    const { store, clock, newId, log, metrics, coalesceMs } = this.#options;
    const agent = this.#options.agent.profile.name;
    const parts = { store, clock, newId, log, metrics, coalesceMs };
    return new TaskRun({ ...parts, owner, task, turn, agent, structured });
  }

  async #stop(run: TaskRun, stop: Stop): Promise<void> {
    run.abort(stop);
    const waited = new AbortController();
    const grace = this.#options.clock.sleep(STOP_GRACE_MS, waited.signal).catch(() => undefined);
    await Promise.race([run.whenSettled, grace]);
    waited.abort();
    if (!run.settled) {
      this.#options.log.warn("agent ignores its signal; its task is ended for it", { taskId: run.id });
      this.#end(run, stop);
    }
    await run.saved();
  }

  #end(run: TaskRun, { outcome, error }: Stop): void {
    const { agent } = this.#options;
    const at = { runId: runIdOf(run.task), agent: agent.profile.name, seq: Number.MAX_SAFE_INTEGER };
    run.encoder.push(endOf(at, outcome, error));
  }
}

function busy(taskId: string): Error {
  return new UnsupportedOperationError(
    `Task ${taskId} is still being worked on; wait until it asks or ends, or cancel it.`,
  );
}

function turnOf(task: Task): number {
  return readRecord(task.metadata)?.turn ?? 1;
}

/** Whoever was not the one who asked gets to hear what anybody hears of a task that is not there. */
function checkSameUser(before: Task, { userId }: AgentRequest, authenticated: string | undefined): void {
  const [first] = before.history;
  if (first === undefined) return;
  const { id: taskId, contextId } = before;
  const asked = readRequest(first, { taskId, contextId, history: [], userId: authenticated });
  if (asked.userId !== undefined && asked.userId !== userId)
    throw new TaskNotFoundError(`Task not found: ${taskId}`);
}

function questionOf(task: Task | undefined): readonly Turn[] {
  const text = textOf(task?.status?.message?.parts ?? []);
  return text === "" ? [] : [{ role: "agent", text }];
}

function readRequest(
  message: Message,
  context: Omit<Parameters<typeof fromMessage>[1], "userId"> & { readonly userId: string | undefined },
): ReturnType<typeof fromMessage> {
  const { userId, ...rest } = context;
  try {
    return fromMessage(message, userId === undefined ? rest : { ...rest, userId });
  } catch (error) {
    if (isTroupeError(error)) throw new RequestMalformedError(error.message);
    throw error;
  }
}
