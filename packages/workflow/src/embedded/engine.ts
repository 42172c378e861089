import { silentLog, systemClock, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { RunLog } from "../engine/run-log.ts";
import { Compactor, type KeepRuns } from "./compactor.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { makeShrinkable, openStorage, type Storage } from "./database.ts";
import { openEventTable } from "./event-log.ts";
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
  /**
   * Runs that are asked for again in this process if the one before was cut off while it planned them; any
   * other ends as `workflow.plan-lost`.
   */
  readonly askedAgain?: ReadonlySet<string>;
  /** What is kept of runs that have ended; all of them for ever when left out. */
  readonly keep?: KeepRuns;
}

/** The engine for one machine: a journal on node:sqlite, replayed at `register()`. Throws a `StoreError`. */
export function openEmbeddedEngine({ path, ...options }: EmbeddedEngineOptions): EmbeddedEngine {
  const storage = openStorage(path);
  makeShrinkable(storage);
  return openEngineOn(storage, options);
}

/** The same on a file that is open, which it owns from here on. */
export function openEngineOn(storage: Storage, options: Omit<EmbeddedEngineOptions, "path">): EmbeddedEngine {
  const { clock = systemClock, log = silentLog, newId = () => crypto.randomUUID(), keep = {} } = options;
  const compactor = new Compactor(storage, { clock, log, keep });
  const own = openEventTable(storage, {
    clock,
    log,
    onRefused: (runId, error) => engine.giveUp(runId, error),
    onTaken: (runId) => engine.goOn(runId),
  });
  const journal = openJournal(storage);
  const engine: JournalEngine = new JournalEngine({
    journal: {
      ...journal,
      forget: (runId) => compactor.forget(runId),
      close() {
        compactor.close();
        own.close();
        journal.close();
      },
    },
    events: options.events ?? own,
    clock,
    log,
    newId,
    ...(options.askedAgain === undefined ? {} : { askedAgain: options.askedAgain }),
  });
  compactor.start();
  return engine;
}
