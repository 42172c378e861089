import type { ServerResponse } from "node:http";

import type { Clock } from "@troupe/stream";

import { openStreamAt } from "../limits/limit-gate.ts";
import { presenceAt } from "../presence.ts";
import { begin, writeSse } from "./sse.ts";

export interface ServeEventsOptions {
  readonly clock: Clock;
  /** Names the event that was taken last, for a reader that comes back with `Last-Event-ID`. */
  readonly idOf: () => string | undefined;
  /** What a reader is told of an error in the middle, as `event: error`; must be safe to show. */
  readonly errorFrame: (error: unknown) => unknown;
}

/**
 * Answers with server-sent events of JSON for as long as there are any and somebody reads them, at the
 * reader's pace and with a heartbeat. It counts as one of the streams its caller may have open; where that is one
 * too many it is refused, and no event is asked for. Throws the error of the first event, before anything is written.
 */
export async function serveEvents(
  res: ServerResponse,
  events: (gone: AbortSignal) => AsyncGenerator,
  options: ServeEventsOptions,
): Promise<void> {
  if (!openStreamAt(res)) return;
  const gone = presenceAt(res).gone();
  await writeSse(res, await begin(events(gone), options.clock), { ...options, gone });
}
