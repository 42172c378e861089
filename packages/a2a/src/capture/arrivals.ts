/** A network chunk, and when it was read. */
export interface Arrival {
  /** Milliseconds, as `now` counts them. */
  readonly t: number;
  readonly bytes: Uint8Array;
}

/** The chunks of a body. Each gets its time when it is read, before anybody looks at it. */
export async function* arrivals(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  now: () => number,
): AsyncGenerator<Arrival, void, undefined> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield { t: now(), bytes: value };
  }
}

/** A whole body, of which at most `maxBytes` are kept; `t` is the time of its last chunk. */
export async function readWhole(
  response: Response,
  now: () => number,
  maxBytes: number,
): Promise<{ readonly t: number; readonly text: string; readonly bytes: number; readonly cut: boolean }> {
  let t = now();
  let bytes = 0;
  let text = "";
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  if (reader === undefined) return { t, text, bytes, cut: false };
  for await (const arrival of arrivals(reader, now)) {
    t = arrival.t;
    const room = Math.max(0, maxBytes - bytes);
    bytes += arrival.bytes.length;
    if (room > 0) text += decoder.decode(arrival.bytes.subarray(0, room), { stream: true });
  }
  return { t, text: bytes > maxBytes ? text : text + decoder.decode(), bytes, cut: bytes > maxBytes };
}
