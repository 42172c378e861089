import type { RecordedRun } from "../engine/recorded-run.ts";
import type { RunLog } from "../engine/run-log.ts";
import { openStorage } from "./database.ts";
import { openEventTable, type EventLogOptions } from "./event-log.ts";
import { openJournal, recordedIn } from "./journal.ts";

/** The runs in a file, to be read and nothing else. */
export interface RunRecords {
  readonly events: RunLog;
  readonly recorded: (runId: string) => Promise<RecordedRun | undefined>;
  close(): void;
}

/** Reads what an engine wrote, beside it or without one. Throws a `StoreError`. */
export function openRunRecords({ path, ...options }: EventLogOptions): RunRecords {
  const storage = openStorage(path);
  const events = openEventTable(storage, options);
  const journal = openJournal(storage);
  return {
    events,
    recorded: async (runId) => recordedIn(journal, runId),
    close() {
      events.close();
      journal.close();
    },
  };
}
