import type { Message, Task } from "@a2a-js/sdk";
import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { Caller, TraceContext } from "@troupe/core";

import { isConflict } from "../../store/conflict.ts";
import { keyOf } from "../../store/key-of.ts";
import type { StoredTask } from "../../store/task-store.ts";
import { runIdOf } from "../../wire/records.ts";
import { stampCaller } from "../../wire/stamp-caller.ts";
import { isTerminal } from "../../wire/state.ts";
import { checkMessage } from "./check-message.ts";
import type { ConversationLanes } from "./conversation-lanes.ts";
import type { HeldRuns } from "./held-runs.ts";
import { historyOf } from "./history.ts";
import { presentTurn, turnsBefore, type PresentTurn } from "./present-turn.ts";
import { workInTurn } from "./queued-turn.ts";
import { checkSameUser, readRequest } from "./read-request.ts";
import type { Found } from "./found.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { checkSameMessage } from "./same-message.ts";
import type { TaskRun } from "./task-run.ts";
import { questionOf, taskForTurn, turnOf } from "./turn-task.ts";
import { workOn } from "./work-on.ts";

export interface SubmitOptions {
  readonly owner: string;
  /** Who asks, when somebody was authenticated. */
  readonly caller?: Caller;
  /** The call that asked. */
  readonly trace?: TraceContext;
  /** Results as data parts. */
  readonly structured: boolean;
  /**
   * Asked before a turn is begun, and never for a message that is known; throwing refuses it. What it
   * answers is called when the turn is over.
   */
  readonly begin?: () => Promise<() => void>;
  /** The turn has ended with a question. */
  readonly waits?: () => void;
}

/**
 * Messages on their way to a task. The same message again leads to the same task, running or not; another one under
 * its id is refused.
 */
export class Submissions {
  readonly #options: AgentRuntimeOptions;
  readonly #runs: HeldRuns;
  /** Registered before anything is awaited. */
  readonly #underway = new Map<string, Promise<Found>>();
  readonly #lanes: ConversationLanes;
  #closed = false;

  constructor(options: AgentRuntimeOptions, runs: HeldRuns, lanes: ConversationLanes) {
    this.#options = options;
    this.#runs = runs;
    this.#lanes = lanes;
  }

  /** Takes no more work; a message that is known is still answered. */
  close(): void {
    this.#closed = true;
  }

  submit(message: Message | undefined, options: SubmitOptions): Promise<Found> {
    const checked = stampCaller(checkMessage(message), options.caller);
    const key = keyOf(options.owner, checked.messageId);
    const known = this.#underway.get(key);
    if (known !== undefined) return known.then((found) => this.#asSame(checked, found));
    const found = this.#submit(checked, options).finally(() => this.#underway.delete(key));
    this.#underway.set(key, found);
    return found;
  }

  async #submit(message: Message, options: SubmitOptions): Promise<Found> {
    const { owner } = options;
    const known = await this.#options.store.taskOf(owner, message.messageId);
    if (known !== undefined) return this.#asSame(message, await this.#runs.find(owner, known));
    if (this.#closed) throw new UnsupportedOperationError("The agent is shutting down; ask again later.");
    const over = await options.begin?.();
    try {
      const found = await this.#begin(message, options);
      if ("run" in found) void found.run.whenSettled.then(over);
      else over?.();
      return found;
    } catch (error) {
      over?.();
      throw error;
    }
  }

  async #begin(message: Message, options: SubmitOptions): Promise<Found> {
    const { store, newId, clock } = this.#options;
    const { owner, caller } = options;
    const runs = this.#runs;
    const resumes = message.taskId !== "";
    const queues = resumes && this.#options.whenBusy === "queue";
    const present = queues ? presentTurn(await runs.find(owner, message.taskId)) : undefined;
    if (present !== undefined) return this.#queue(message, present, options);
    const conversation = resumes ? (await this.#resumable(owner, message)).task.contextId : message.contextId;
    const contextId = conversation || newId();
    const earlier = conversation === "" ? [] : await historyOf(store, owner, conversation);
    // Looked up again, and last: it may have been canceled or answered in the meantime.
    const stored = resumes ? await this.#resumable(owner, message) : undefined;
    const before = stored?.task;
    const history = [...earlier, ...questionOf(before)];
    const taskId = before?.id ?? newId();
    const runId = before === undefined ? taskId : runIdOf(before);
    const asked = { taskId: runId, contextId, history, caller, ...inTrace(options) };
    const request = readRequest(message, asked);
    if (before !== undefined) checkSameUser(before, request, caller);
    // Synchronous from here to the claim: two replies to one question must not both start.
    if (runs.has(taskId)) throw busy(taskId);
    const turn = before === undefined ? 1 : turnOf(before) + 1;
    const task = taskForTurn({ message: { ...message, taskId, contextId }, before, turn, now: clock.now() });
    const version = stored?.version ?? 0;
    const run = runs.create(owner, { task, version }, { turn, structured: options.structured });
    const known = await this.#claim(run, message, version);
    if (known !== undefined) return this.#asSame(message, await runs.find(owner, known));
    void workOn(this.#options, runs, run, request);
    tellThatItWaits(run, options);
    return { run };
  }

  /** A message to a task that is being worked on, as a task that waits for that one to settle. */
  async #queue(message: Message, present: PresentTurn, options: SubmitOptions): Promise<Found> {
    const { newId, clock } = this.#options;
    const { owner, caller } = options;
    const runs = this.#runs;
    const { id: busyId, contextId } = present.task;
    checkContext(message, present.task);
    const taskId = newId();
    const asked = readRequest(message, { taskId, contextId, history: [], caller, ...inTrace(options) });
    checkSameUser(present.task, asked, caller);
    // It answers what was asked before; what is asked by the time it begins its sender has not read.
    if (asked.reply !== undefined) throw busy(busyId);
    const before = await turnsBefore(this.#options, runs, owner, present);
    const place = this.#lanes.join(owner, contextId, before);
    if (place === undefined)
      throw new UnsupportedOperationError(
        `Task ${busyId} is still being worked on, and many messages wait for it already; send this one again later.`,
      );
    const referenceTaskIds = [...new Set([...message.referenceTaskIds, busyId])];
    const queued = { ...message, taskId, contextId, referenceTaskIds };
    const task = taskForTurn({ message: queued, before: undefined, turn: 1, now: clock.now(), waits: true });
    const run = runs.create(owner, { task, version: 0 }, { turn: 1, structured: options.structured });
    let working = false;
    try {
      const known = await this.#claim(run, message, 0);
      if (known !== undefined) return this.#asSame(message, await runs.find(owner, known));
      working = true;
    } finally {
      if (!working) place.leave();
    }
    void workInTurn(this.#options, runs, run, { place, asked });
    tellThatItWaits(run, options);
    return { run };
  }

  /**
   * Holds the run while its message is claimed for it. Answers the id of the task that has the message
   * already: it may be the same task, where another process was sooner.
   */
  async #claim(run: TaskRun, { messageId }: Message, version: number): Promise<string | undefined> {
    const runs = this.#runs;
    // Nothing is awaited before: two replies to one question must not both start.
    runs.hold(run);
    try {
      const claim = await this.#options.store.claim(run.owner, messageId, run.task, runs.from(version));
      if (claim.first) {
        run.claimed(claim.version);
        return undefined;
      }
      runs.release(run);
      return claim.taskId;
    } catch (error) {
      runs.release(run);
      if (isConflict(error)) throw busy(run.id);
      runs.doubt({ owner: run.owner, taskId: run.id });
      throw error;
    }
  }

  /** What a message leads to that is known already. */
  #asSame(message: Message, found: Found): Found {
    checkSameMessage(message, found, this.#options.agent);
    return found;
  }

  /** The task a message goes on with; only one that asked for input can be. */
  async #resumable(owner: string, message: Message): Promise<StoredTask> {
    const found = await this.#runs.find(owner, message.taskId);
    if ("elsewhere" in found || ("run" in found && !found.run.settled)) throw busy(message.taskId);
    if ("run" in found) await found.run.saved();
    const stored = "run" in found ? found.run.stored() : found;
    const { task } = stored;
    if ("run" in found) this.#runs.release(found.run);
    if (isTerminal(task.status?.state))
      throw new UnsupportedOperationError(
        `Task ${task.id} has ended; send the message without a taskId to start another.`,
      );
    checkContext(message, task);
    return stored;
  }
}

function checkContext(message: Message, task: Task): void {
  if (message.contextId === "" || message.contextId === task.contextId) return;
  throw new RequestMalformedError(
    `contextId "${message.contextId}" is not that of task ${task.id}, "${task.contextId}".`,
  );
}

function tellThatItWaits(run: TaskRun, { waits }: SubmitOptions): void {
  if (waits !== undefined) void run.whenSettled.then(() => !isTerminal(run.task.status?.state) && waits());
}

function busy(taskId: string): Error {
  return new UnsupportedOperationError(
    `Task ${taskId} is still being worked on; wait until it asks or ends, or cancel it.`,
  );
}

function inTrace({ trace }: SubmitOptions): { readonly trace?: TraceContext } {
  return trace === undefined ? {} : { trace };
}
