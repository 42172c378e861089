import type { Clock } from "@troupe/stream";

import { STOP_GRACE_MS } from "./stop.ts";

/** Waits for what an agent does as it is stopped, but no longer than it has for that. */
export async function withinGrace(clock: Clock, done: Promise<void>): Promise<void> {
  const waited = new AbortController();
  const grace = clock.sleep(STOP_GRACE_MS, waited.signal).catch(() => undefined);
  await Promise.race([done, grace]).finally(() => waited.abort());
}
