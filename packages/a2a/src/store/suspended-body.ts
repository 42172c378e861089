import { parseSuspendedRun, type Log, type SuspendedRun } from "@troupe/core";

/** Runs that may wait in one store; above it the oldest is given up. */
export const MAX_SUSPENDED = 10_000;

/** A run as a store kept it. One that cannot be read is logged and is as good as gone. */
export function readSuspended(runId: string, body: string, log: Log): SuspendedRun | undefined {
  try {
    return parseSuspendedRun(JSON.parse(body));
  } catch (error) {
    log.error("a run that waits for a person cannot be read", { runId, error });
    return undefined;
  }
}
