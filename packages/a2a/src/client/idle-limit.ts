import type { Clock } from "@troupe/stream";

import type { Fetch } from "../adapters/default-fetch.ts";

/**
 * Breaks off an event stream on which nothing comes for `idleMs`, not even a heartbeat: a connection
 * that was cut without a word would otherwise be waited on for minutes. Taking the task up again
 * costs little, so a quiet agent is none the worse for it.
 */
export function withIdleLimit(fetchImpl: Fetch, clock: Clock, idleMs: number): Fetch {
  return async (input, init) => {
    const response = await fetchImpl(input, init);
    const streamed = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    if (!streamed || response.body === null) return response;
    return new Response(limited(response.body, clock, idleMs), response);
  };
}

function limited(body: ReadableStream<Uint8Array>, clock: Clock, idleMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  /** Since when a read waits. A reader above that takes its time is no silence. */
  let waitingSince: number | undefined;
  let stop = (): void => undefined;
  /** One timer that looks now and then, not one a chunk: chunks are many, and silence is rare. */
  const watch = (controller: ReadableStreamDefaultController, ms: number): void => {
    stop = clock.schedule(ms, () => {
      const left = waitingSince === undefined ? idleMs : waitingSince + idleMs - clock.now();
      if (left > 0) {
        watch(controller, left);
        return;
      }
      // fetch's own way to say that a connection broke.
      const error = new TypeError(`network: nothing came for ${idleMs} ms`);
      controller.error(error);
      reader.cancel(error).catch(() => undefined);
    });
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => watch(controller, idleMs),
    async pull(controller) {
      waitingSince = clock.now();
      try {
        const { done, value } = await reader.read();
        waitingSince = undefined;
        if (!done) {
          controller.enqueue(value);
          return;
        }
        stop();
        controller.close();
      } catch (error) {
        stop();
        controller.error(error);
      }
    },
    cancel(reason) {
      stop();
      return reader.cancel(reason);
    },
  });
}
