/** Whom to notify of a task, and how it is to know that it is us. */
export interface PushConfig {
  /** Unique within its task. */
  readonly id: string;
  readonly url: string;
  /** Goes into a header of each notification; empty for none. */
  readonly token: string;
  /** For the `Authorization` header. */
  readonly authentication?: { readonly scheme: string; readonly credentials: string };
  /** Of the protocol, which notifications are written in. */
  readonly version: "1.0" | "0.3";
}

/** `done` when it was told how the task ended; `disabled` when it cannot be told anything. */
export type PushState = "open" | "done" | "disabled";

export interface KeptPushConfig {
  readonly config: PushConfig;
  /** Which state of the task was told last; empty before the first. */
  readonly told: string;
  readonly state: PushState;
}

export interface PushTask {
  readonly owner: string;
  readonly taskId: string;
}

/**
 * Push notification configs of tasks. They go with their task; of a task that is not stored there are
 * none. What is kept outlives the process as far as the task does, secrets included.
 */
export interface PushConfigs {
  /**
   * Keeps a config as open, in place of one with the same id; where it is the same in all, nothing changes.
   * `told` is the state of the task that needs no telling. False where there is no such task.
   */
  put(task: PushTask, config: PushConfig, told: string): Promise<boolean>;
  /** In the order in which they came. */
  list(task: PushTask): Promise<readonly KeptPushConfig[]>;
  /** Nothing when it is not there. */
  remove(task: PushTask, id: string): Promise<void>;
  /** What has become of it; nothing when it is not there. */
  note(task: PushTask, id: string, now: Pick<KeptPushConfig, "told" | "state">): Promise<void>;
  /** Tasks that have open configs, each once, read as they are asked for. */
  open(): AsyncIterable<PushTask>;
}
