import type { LoggedEvent, RunLog } from "./run-log.ts";

/** The events a run has by now, those from a position on where one is given; waits for none. */
export async function eventsSoFar(log: RunLog, runId: string, from = 0): Promise<readonly LoggedEvent[]> {
  const end = await log.end(runId);
  const events: LoggedEvent[] = [];
  if (end <= from) return events;
  for await (const logged of log.read(runId, { from, signal: new AbortController().signal })) {
    events.push(logged);
    if (logged.position + 1 >= end) break;
  }
  return events;
}
