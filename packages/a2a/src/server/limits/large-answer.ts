import type { ServerResponse } from "node:http";

import { byRequest } from "./admitted.ts";

/** From here on an answer is taken from its caller's share; shorter ones are bounded by the calls alone. */
export const LARGE_ANSWER = 64 * 1024;

/** A reader has so long for an answer, and a second more for each so many bytes: lines of 0.5 Mbit/s get theirs. */
const TAKEN_MS = 60_000;
const BYTES_A_SECOND = 64 * 1024;

/**
 * Takes an answer that is about to be written from its caller's share until it is over, and cuts off a
 * reader that does not take it: it is held as a whole meanwhile. Throws a `LimitError` where the share is
 * used up.
 */
export function holdLargeAnswer(res: ServerResponse, bytes: number): void {
  const admitted = byRequest.get(res.req);
  // Whoever has left gives no share back any more.
  if (admitted === undefined || res.closed) return;
  const release = admitted.account.going(bytes);
  const ms = TAKEN_MS + (bytes / BYTES_A_SECOND) * 1_000;
  const stop = admitted.clock.schedule(ms, () => res.req.socket.destroy());
  res.once("close", () => {
    release();
    stop();
  });
}
