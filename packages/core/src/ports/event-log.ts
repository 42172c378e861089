import type { AgentEvent } from "@troupe/stream";

/** The progress of runs, kept beside the engine and readable from any point. */
export interface EventLog {
  /** Idempotent on (runId, key): the same key again changes nothing. */
  append(runId: string, key: string, event: AgentEvent): void;
  /**
   * Resolves once all that was appended here so far is kept: wait for it before anything is journaled
   * that follows from those events. It does not reject; while the storage is away it waits. A log
   * without it keeps events before whatever is journaled after them.
   */
  kept?(): Promise<void>;
  /**
   * Resolves once nothing that was appended here for the run waits because its storage refused it, at once where
   * it refused nothing: whoever tells much waits for it in between, so that what is refused does not fill the memory.
   */
  drained?(runId: string): Promise<void>;
  /**
   * Events in order of arrival from position `from` (0 is the first), then live ones as they come.
   * Ends after the run's own `finish` (the one without `stepId`) or when the signal aborts.
   */
  read(
    runId: string,
    options: { readonly from: number; readonly signal: AbortSignal },
  ): AsyncIterable<{ readonly position: number; readonly event: AgentEvent }>;
}
