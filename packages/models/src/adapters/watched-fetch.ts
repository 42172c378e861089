import { nodeFetch } from "@troupe/core/node";

/**
 * `fetch` that reports every piece of a response body as it arrives, with its length in bytes. The SDKs swallow pings and
 * SSE comments, yet those are what shows that a long silent stretch of thinking is alive. A redirect to another origin gets
 * no key.
 */
export function watchedFetch(onBytes: (bytes: number) => void): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await nodeFetch(input, init);
    if (response.body === null) return response;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        onBytes(piece.length);
        controller.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(watch), response);
  };
}
