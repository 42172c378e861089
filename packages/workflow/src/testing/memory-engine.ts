import { silentLog, systemClock, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { EmbeddedEngine } from "../embedded/engine.ts";
import { JournalEngine } from "../embedded/journal-engine.ts";
import type { Journal } from "../embedded/journal.ts";
import type { RunLog } from "../engine/run-log.ts";
import { memoryEventLog } from "./memory-event-log.ts";
import { memoryJournal } from "./memory-journal.ts";

/** The embedded engine without a disk: settles within promise jobs, so a virtual clock drives it exactly. */
export function memoryEngine(
  options: {
    readonly clock?: Clock;
    readonly log?: Log;
    readonly journal?: Journal;
    readonly events?: RunLog;
  } = {},
): EmbeddedEngine {
  const { clock = systemClock, log = silentLog, journal = memoryJournal() } = options;
  const events = options.events ?? memoryEventLog(() => clock.now());
  let ids = 0;
  return new JournalEngine({ journal, events, clock, log, newId: () => `id-${++ids}` });
}
