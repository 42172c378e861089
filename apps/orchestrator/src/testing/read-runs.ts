import { silentLog, systemClock } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import { openRecords } from "../orchestrator/state.ts";

/** The runs of a home, newest first, as they stand in its file. */
export async function readRuns(home: string): Promise<readonly RunView[]> {
  const records = openRecords({ home, clock: systemClock, log: silentLog });
  try {
    return await records.events.runs();
  } finally {
    records.close();
  }
}
