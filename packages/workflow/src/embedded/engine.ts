import { silentLog, systemClock, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { WorkflowEngine } from "../engine/port.ts";
import type { RunLog } from "../engine/run-log.ts";
import type { RunInput } from "../engine/run.ts";
import { openDatabase } from "./database.ts";
import { openEventLog } from "./event-log.ts";
import { JournalEngine } from "./journal-engine.ts";
import { openJournal } from "./journal.ts";

export interface EmbeddedEngineOptions {
  /** The journal file, made when it is not there. One engine a file: the caller holds the lock. */
  readonly path: string;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Random ids; `crypto.randomUUID` by default. */
  readonly newId?: () => string;
  /** Where events go; by default the same file, closed with the engine. */
  readonly events?: RunLog;
}

export interface EmbeddedEngine extends WorkflowEngine {
  /** The event log runs are written to: give it to the driver and to whoever follows a run. */
  readonly events: RunLog;
  /** What a run was asked; undefined for one the journal does not know. */
  input(runId: string): RunInput | undefined;
  /** Why this process cannot go on with a run that has not ended, such as a full disk; else undefined. */
  stuck(runId: string): unknown;
}

/** The engine for one machine: a journal on node:sqlite, replayed at `register()`. Throws a `StoreError`. */
export function openEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { path, clock = systemClock, log = silentLog, newId = () => crypto.randomUUID() } = options;
  const journal = openJournal(openDatabase(path, "FULL"));
  if (options.events) return new JournalEngine({ journal, events: options.events, clock, log, newId });
  const events = openEventLog({ path, clock, log });
  const engine = new JournalEngine({
    journal: {
      ...journal,
      close() {
        journal.close();
        events.close();
      },
    },
    events,
    clock,
    log,
    newId,
  });
  return engine;
}
