import type { Message, Task } from "@a2a-js/sdk";

import { SHUTDOWN } from "../../run/stop.ts";
import { cancelTask } from "./cancel-task.ts";
import { ConversationLanes } from "./conversation-lanes.ts";
import { stopRun } from "./end-run.ts";
import { HeldRuns } from "./held-runs.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { recoverTasks } from "./recover-tasks.ts";
import { followToEnd, type FollowedEvent } from "./follow-found.ts";
import { snapshotOf, type Found } from "./found.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { Submissions, type SubmitOptions } from "./submissions.ts";
import type { SubscribeOptions } from "./turn-readers.ts";

/**
 * Puts messages to the agent and keeps what comes of it. It knows nothing of HTTP, so every
 * binding behaves the same.
 */
export class AgentRuntime {
  readonly #options: AgentRuntimeOptions;
  readonly #runs: HeldRuns;
  readonly #lanes = new ConversationLanes();
  readonly #submissions: Submissions;
  readonly #leases: LeaseKeeper | undefined;
  #closing = false;

  constructor(options: AgentRuntimeOptions) {
    this.#options = options;
    this.#runs = new HeldRuns(options);
    this.#submissions = new Submissions(options, this.#runs, this.#lanes);
    const { shared } = options.store;
    const { holder } = this.#runs;
    if (shared !== undefined && holder !== undefined)
      this.#leases = new LeaseKeeper({ options, runs: this.#runs, lanes: this.#lanes, shared, holder });
  }

  /** For once, before anything is asked: see `recoverTasks`. */
  async recover(): Promise<void> {
    await this.#leases?.start();
    await recoverTasks(this.#options, this.#runs, this.#lanes);
  }

  /** The same message again leads to the same task, running or not. */
  submit(message: Message | undefined, options: SubmitOptions): Promise<Found> {
    return this.#submissions.submit(message, options);
  }

  /** Throws `TaskNotFoundError`, also where the task is somebody else's. */
  find(owner: string, taskId: string): Promise<Found> {
    return this.#runs.find(owner, taskId);
  }

  /**
   * Follows a task over its turns until it is terminal. While the task waits for a reply, the reader gets
   * nothing.
   */
  follow(
    owner: string,
    found: Found,
    options: SubscribeOptions,
  ): AsyncGenerator<FollowedEvent, void, undefined> {
    const { id: taskId } = snapshotOf(found);
    return followToEnd(found, options, (known) =>
      this.#runs.whenChanged({ owner, taskId }, known, options.signal),
    );
  }

  /** Answers the task as it stands once it is canceled or has ended otherwise. */
  cancel(owner: string, taskId: string): Promise<Task> {
    return cancelTask(this.#options, this.#runs, owner, taskId);
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Takes no more work and ends what runs; streams end with it. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#submissions.close();
    this.#runs.close();
    await this.#end();
    await this.#leases?.stop();
  }

  async #end(): Promise<void> {
    const running = this.#runs.all();
    if (this.#options.handOver === true) {
      for (const run of running) run.letGo();
      await Promise.all(running.map((run) => run.saved()));
      return;
    }
    await Promise.all(running.map((run) => stopRun(this.#options, run, SHUTDOWN)));
    await Promise.all(running.map((run) => run.saved()));
  }
}
