import type { ServerResponse } from "node:http";

import type { Clock } from "@troupe/stream";

/** A comment now and then keeps proxies from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 15_000;

/** A reader that has not taken what was written by then is cut off; it may subscribe again. */
const STALLED_MS = 5 * 60_000;

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  Connection: "keep-alive",
  "X-Accel-Buffering": "no",
};

/** Frames of which the first is asked for. */
export interface Begun {
  readonly first: Promise<IteratorResult<unknown>>;
  readonly rest: AsyncGenerator;
  /** It lets wait for itself: whoever asked is told meanwhile that it is on its way. */
  readonly quiet: boolean;
}

/** After so long without a first frame the answer begins without one, so that its heart can beat. */
const QUIET_MS = 1_000;

/**
 * Asks for the first frame. Throws its error, as long as that can be answered as a plain response.
 * Whoever comes back to a task that says nothing just now has its first frame much later.
 */
export async function begin(rest: AsyncGenerator, clock: Clock): Promise<Begun> {
  const first = rest.next();
  const waited = Promise.withResolvers<void>();
  let quiet = false;
  const stop = clock.schedule(QUIET_MS, () => {
    quiet = true;
    waited.resolve();
  });
  try {
    await Promise.race([first, waited.promise]);
  } finally {
    stop();
  }
  return { first, rest, quiet };
}

/**
 * Writes frames as server-sent events, at the reader's pace: when the socket is full nothing more
 * is taken until it drains, and a reader that takes nothing is cut off. `first` was taken already, so
 * that an error before it could be answered as a plain response.
 */
export async function writeSse(
  res: ServerResponse,
  stream: Begun,
  options: {
    readonly clock: Clock;
    readonly gone: AbortSignal;
    /** Id of the frame that was taken last. */
    readonly idOf: () => string | undefined;
    /** The frame for an error in the middle; must be safe to show. */
    readonly errorFrame: (error: unknown) => unknown;
  },
): Promise<void> {
  // They leave with the first frame, which is there already: one packet less to wait for.
  res.statusCode = 200;
  for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value);
  if (stream.quiet) res.flushHeaders();
  const { clock, gone } = options;
  const stopBeating = heartbeat(clock, () => res.write(": alive\n\n"));
  try {
    for (
      let next = await stream.first;
      next.done !== true && !gone.aborted;
      next = await stream.rest.next()
    ) {
      const frame = `${eventIdLine(options.idOf())}data: ${JSON.stringify(next.value)}\n\n`;
      if (!res.write(frame)) await drained(res, gone, clock);
    }
  } catch (error) {
    if (!gone.aborted) res.write(`event: error\ndata: ${JSON.stringify(options.errorFrame(error))}\n\n`);
  } finally {
    stopBeating();
    await stream.rest.return(undefined);
    res.end();
  }
}

/** The line that names an event, for a reader that comes back; empty where it cannot. */
export function eventIdLine(id: string | undefined): string {
  return id === undefined ? "" : `id: ${id}\n`;
}

/** Calls `beat` now and then until it is stopped. */
export function heartbeat(clock: Clock, beat: () => void): () => void {
  let stop: () => void = () => undefined;
  const schedule = (): void => {
    stop = clock.schedule(HEARTBEAT_MS, () => {
      beat();
      schedule();
    });
  };
  schedule();
  return () => stop();
}

/** Resolves when the reader took what was written, when it is gone, or when it took nothing for too long and was cut off. */
export function drained(res: ServerResponse, gone: AbortSignal, clock: Clock): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const giveUp = clock.schedule(STALLED_MS, () => res.destroy());
    const done = (): void => {
      giveUp();
      res.off("drain", done);
      gone.removeEventListener("abort", done);
      resolve();
    };
    res.once("drain", done);
    gone.addEventListener("abort", done, { once: true });
  });
}
