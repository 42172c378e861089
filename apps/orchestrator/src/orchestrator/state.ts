import { join } from "node:path";

import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import {
  openEmbeddedEngine,
  openRunRecords,
  type HostedEngine,
  type KeepRuns,
  type RunLog,
  type RunRecords,
} from "@troupe/workflow";

/** Journal and events of every run, in one file. */
export const runsFile = (home: string): string => join(home, "runs.db");

export interface RunState {
  readonly engine: Omit<HostedEngine, "events">;
  readonly log: RunLog;
  close(): Promise<void>;
}

/**
 * Where runs are kept: the engine given, else one in the home folder; in memory when there is no home
 * either, so nothing survives the process.
 */
export function openRunState(options: {
  readonly home?: string;
  readonly engine?: HostedEngine;
  readonly keepRuns?: KeepRuns;
  readonly askedAgain?: ReadonlySet<string>;
  readonly clock: Clock;
  readonly log: Log;
}): RunState {
  const { home, clock, log, keepRuns: keep = {}, askedAgain = new Set<string>() } = options;
  const path = home === undefined ? ":memory:" : runsFile(home);
  const engine = options.engine ?? openEmbeddedEngine({ path, clock, log, keep, askedAgain });
  return { engine, log: engine.events, close: () => engine.close() };
}

/** The runs of a home, to be read beside an owner or without one. Throws a `StoreError`. */
export function openRecords(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
}): RunRecords {
  return openRunRecords({ path: runsFile(options.home), clock: options.clock, log: options.log });
}
