import type { EventLog } from "@troupe/core";

import type { RunView } from "./run.ts";

/** An event log that also knows which runs there are. What an engine's `get` is read from. */
export interface RunLog extends EventLog {
  /** Idempotent on `runId`. Called once the run is accepted, before its first event. */
  begin(run: { readonly runId: string; readonly name: string; readonly objective: string }): Promise<void>;
  /** Position after the last event so far. */
  end(runId: string): Promise<number>;
  view(runId: string): Promise<RunView | null>;
  /** Newest first. */
  runs(options?: { readonly limit?: number }): Promise<readonly RunView[]>;
}
