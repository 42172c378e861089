import type { EventLog } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";

import type { RunRecord } from "./fold-run.ts";
import type { RunView } from "./run.ts";

export interface RunsQuery {
  /** At least 1, 50 by default. */
  readonly limit?: number;
  readonly idPrefix?: string;
  /** Only this person's. */
  readonly userId?: string;
  /** Only those of this conversation, and then of exactly this `userId`: of nobody's where there is none. */
  readonly threadId?: string;
  /**
   * Only those older than this run: how the next page is asked for. None where there is no such run, or with a
   * `userId` or a `threadId` where it is not this owner's.
   */
  readonly before?: string;
}

/** An event as it stands in the log of its run. */
export interface LoggedEvent {
  /** Counted from 0 in each run. */
  readonly position: number;
  readonly key: string;
  /** When it was kept, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly event: AgentEvent;
}

/** An event log that also knows which runs there are. What an engine's `get` is read from. */
export interface RunLog extends EventLog {
  /**
   * Idempotent on `runId`. Called before the run's first event; before it is planned with an empty
   * name, and once it is accepted with the workflow's.
   */
  begin(run: Omit<RunRecord, "createdAt">): Promise<void>;
  /** Ids of the runs on record that are still planned, or were when their process ended. */
  planning(): Promise<readonly string[]>;
  /** Throws an `InputError` for a `from` that is no whole number. */
  read(
    runId: string,
    options: { readonly from: number; readonly signal: AbortSignal },
  ): AsyncIterable<LoggedEvent>;
  /** Position after the last event so far. */
  end(runId: string): Promise<number>;
  view(runId: string): Promise<RunView | null>;
  /**
   * Newest first; with `idPrefix` only those whose id begins with it, however old. Throws an `InputError` for a
   * `limit` that is no whole number from 1 on.
   */
  runs(options?: RunsQuery): Promise<readonly RunView[]>;
}
