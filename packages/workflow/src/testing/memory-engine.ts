import { silentLog, systemClock, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { JournalEngine } from "../embedded/journal-engine.ts";
import type { EmbeddedEngine } from "../embedded/embedded-engine.ts";
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
    readonly askedAgain?: ReadonlySet<string>;
    /** `Infinity`: runs that wait stay in memory; 0: none does. */
    readonly shortestSleepMs?: number;
  } = {},
): EmbeddedEngine {
  const { clock = systemClock, log = silentLog, journal = memoryJournal() } = options;
  const events = options.events ?? memoryEventLog(() => clock.now());
  let ids = 0;
  const sleep = options.shortestSleepMs;
  return new JournalEngine({
    journal,
    events,
    clock,
    log,
    newId: () => `id-${++ids}`,
    ...(options.askedAgain === undefined ? {} : { askedAgain: options.askedAgain }),
    ...(sleep === undefined ? {} : { shortestSleepMs: sleep }),
  });
}
