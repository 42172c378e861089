import { join } from "node:path";

import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import {
  openEmbeddedEngine,
  openEventLog,
  type EmbeddedEngine,
  type RunLog,
  type RunView,
} from "@troupe/workflow";

/** Journal and events of every run, in one file. */
export const runsFile = (home: string): string => join(home, "runs.db");

export interface RunState {
  readonly engine: Omit<EmbeddedEngine, "events">;
  readonly log: RunLog;
  close(): Promise<void>;
}

/** Opens where runs are kept; in memory when there is no home, so nothing survives the process. */
export function openRunState(options: {
  readonly home?: string;
  readonly clock: Clock;
  readonly log: Log;
}): RunState {
  const { home, clock, log } = options;
  const engine = openEmbeddedEngine({ path: home === undefined ? ":memory:" : runsFile(home), clock, log });
  return { engine, log: engine.events, close: () => engine.close() };
}

/** The runs on record, read beside an owner or without one. */
export async function readRuns(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<readonly RunView[]> {
  const events = openEventLog({ path: runsFile(options.home), clock: options.clock, log: options.log });
  try {
    return await events.runs({ limit: 100 });
  } finally {
    events.close();
  }
}
