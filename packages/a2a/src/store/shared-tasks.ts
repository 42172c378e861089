import type { WireEvent } from "../wire/parts.ts";
import type { From } from "./from.ts";

/** Updates of a task, in order. */
export interface TaskUpdates {
  /** Of the task with these applied. */
  readonly version: number;
  readonly events: readonly WireEvent[];
}

export interface TaskKey {
  readonly owner: string;
  readonly taskId: string;
}

/**
 * What several runtimes need to work on one store. A runtime is a `holder`, by an id of its own. What
 * it claims with that id is its to work on for as long as it renews; of one that fell silent for
 * `leaseMs` anybody may take over, and whoever was slow finds the version changed.
 */
export interface SharedTasks {
  /** Milliseconds, by the clock of the store, for which a holder that does not renew is waited for. */
  readonly leaseMs: number;
  /** For `leaseMs` from now. Called before the first claim. */
  renew(holder: string): Promise<void>;
  /** Lets go of all it holds, at once. */
  release(holder: string): Promise<void>;
  /**
   * Makes `from.holder` the one that works on a running task nobody works on any more. Throws
   * `store.conflict` when somebody does, or when the version is another.
   */
  take(owner: string, taskId: string, from: Required<From>): Promise<number>;
  /** Asks whoever works on the task to cancel it. Nothing when it does not run. */
  askCancel(owner: string, taskId: string): Promise<void>;
  /** What this holder works on and somebody asks to cancel; until it has settled. */
  asked(holder: string): Promise<readonly TaskKey[]>;
  /**
   * What was saved since `version`; nothing of it is lost and nothing comes twice. Undefined where that
   * is no longer known: updates of a running task are kept for a while only.
   */
  updates(owner: string, taskId: string, version: number): Promise<TaskUpdates | undefined>;
}
