import type { EventLog } from "@troupe/core";

import type { RunRecord } from "./fold-run.ts";
import type { RunView } from "./run.ts";

export interface RunsQuery {
  /** 50 by default. */
  readonly limit?: number;
  readonly idPrefix?: string;
  /** Only this person's. */
  readonly userId?: string;
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
  /** Position after the last event so far. */
  end(runId: string): Promise<number>;
  view(runId: string): Promise<RunView | null>;
  /** Newest first; with `idPrefix` only those whose id begins with it, however old. */
  runs(options?: RunsQuery): Promise<readonly RunView[]>;
}
