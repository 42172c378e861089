import type { Clock } from "@troupe/stream";
import type { Response } from "express";

/** A comment now and then keeps proxies from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 15_000;

/** A reader that has not taken what was written by then is cut off; it may subscribe again. */
const STALLED_MS = 5 * 60_000;

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  Connection: "keep-alive",
  "X-Accel-Buffering": "no",
};

/** A signal that fires when the other side of `res` is gone. */
export function goneSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  // Closed after all was sent is no leaving; an abort costs more than a frame.
  res.on("close", () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Writes frames as server-sent events, at the reader's pace: when the socket is full nothing more
 * is taken until it drains, and a reader that takes nothing is cut off. `first` was taken already, so
 * that an error before it could be answered as a plain response.
 */
export async function writeSse(
  res: Response,
  stream: { readonly first: IteratorResult<unknown>; readonly rest: AsyncGenerator },
  options: {
    readonly clock: Clock;
    readonly gone: AbortSignal;
    /** The frame for an error in the middle; must be safe to show. */
    readonly errorFrame: (error: unknown) => unknown;
  },
): Promise<void> {
  // They leave with the first frame, which is there already: one packet less to wait for.
  res.status(200).set(HEADERS);
  const { clock, gone } = options;
  let beat: () => void = () => undefined;
  const schedule = (): void => {
    beat = clock.schedule(HEARTBEAT_MS, () => {
      res.write(": alive\n\n");
      schedule();
    });
  };
  schedule();
  try {
    for (let next = stream.first; next.done !== true && !gone.aborted; next = await stream.rest.next()) {
      if (!res.write(`data: ${JSON.stringify(next.value)}\n\n`)) await drained(res, gone, clock);
    }
  } catch (error) {
    if (!gone.aborted) res.write(`event: error\ndata: ${JSON.stringify(options.errorFrame(error))}\n\n`);
  } finally {
    beat();
    await stream.rest.return(undefined);
    res.end();
  }
}

function drained(res: Response, gone: AbortSignal, clock: Clock): Promise<void> {
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
