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
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const idle = Promise.withResolvers<never>();
      const stop = clock.schedule(idleMs, () =>
        // fetch's own way to say that a connection broke.
        idle.reject(new TypeError(`network: nothing came for ${idleMs} ms`)),
      );
      try {
        const { done, value } = await Promise.race([reader.read(), idle.promise]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        await reader.cancel(error).catch(() => undefined);
      } finally {
        stop();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
