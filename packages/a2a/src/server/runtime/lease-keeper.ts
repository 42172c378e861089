import { CANCEL } from "../../run/stop.ts";
import type { SharedTasks } from "../../store/shared-tasks.ts";
import type { ConversationLanes } from "./conversation-lanes.ts";
import { stopRun } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import { recoverTasks } from "./recover-tasks.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";

/** Renewals within one lease: a few may fail before anybody takes over. */
const BEATS = 5;
/** Between two looks at what others ask to cancel, in milliseconds; only while there is work. */
const LOOK_MS = 100;

interface LeaseKeeperParts {
  readonly options: AgentRuntimeOptions;
  readonly runs: HeldRuns;
  readonly lanes: ConversationLanes;
  readonly shared: SharedTasks;
  /** This runtime, as others know it. */
  readonly holder: string;
}

/**
 * What a runtime does for as long as it shares its store: it says that it is there, sees to tasks of
 * others that fell silent, and cancels what others ask it to.
 */
export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  readonly #stopped = new AbortController();
  #loops: readonly Promise<void>[] = [];

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
  }

  /** Resolves once others know of this runtime. Throws where the store is away: it cannot work without. */
  async start(): Promise<void> {
    const { options, runs, lanes, shared, holder } = this.#parts;
    await shared.renew(holder);
    const beat = shared.leaseMs / BEATS;
    this.#loops = [
      this.#every(beat, () => shared.renew(holder)),
      this.#every(beat, () => recoverTasks(options, runs, lanes)),
      this.#every(LOOK_MS, () => this.#cancelAsked()),
    ];
  }

  /** Others may take over at once what is left. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#loops);
    try {
      await this.#parts.shared.release(this.#parts.holder);
    } catch (error) {
      this.#parts.options.log.warn("others have to wait before they take over what is left", { error });
    }
  }

  async #cancelAsked(): Promise<void> {
    const { options, runs, shared, holder } = this.#parts;
    if (runs.all().length === 0) return;
    for (const { owner, taskId } of await shared.asked(holder)) {
      const run = runs.runOf(owner, taskId);
      if (run !== undefined && !run.settled && run.stop === undefined) void stopRun(options, run, CANCEL);
    }
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#parts.options;
    const { signal } = this.#stopped;
    for (;;) {
      await clock.sleep(ms, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await work();
      } catch (error) {
        log.warn("the store of tasks could not be asked; it is tried again", { error });
      }
    }
  }
}
