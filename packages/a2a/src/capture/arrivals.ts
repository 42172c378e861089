/** A network chunk, and when it was read. */
export interface Arrival {
  /** Milliseconds, as `now` counts them. */
  readonly t: number;
  readonly bytes: Uint8Array;
}

/** So many bytes are read ahead of whoever takes them; beyond, times are those of taking. */
const READ_AHEAD = 16 * 1024 * 1024;

/**
 * The chunks of a body. Each gets its time when it is read, before anybody looks at it, and the next is
 * read whether or not this one was taken: who is slow to write events down does not make them late.
 */
export async function* arrivals(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  now: () => number,
): AsyncGenerator<Arrival, void, undefined> {
  const waiting: Arrival[] = [];
  let size = 0;
  let over = false;
  let came = Promise.withResolvers<void>();
  let room = Promise.withResolvers<void>();

  const isFull = (): boolean => size > READ_AHEAD;
  const readOn = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      waiting.push({ t: now(), bytes: value });
      size += value.length;
      came.resolve();
      while (isFull()) {
        room = Promise.withResolvers();
        await room.promise;
      }
    }
  };
  const reading = readOn().finally(() => {
    over = true;
    came.resolve();
  });
  // Whoever takes the chunks hears of it after the last of them.
  reading.catch(() => undefined);

  for (;;) {
    const next = waiting.shift();
    if (next === undefined) {
      if (over) break;
      came = Promise.withResolvers();
      await came.promise;
      continue;
    }
    size -= next.bytes.length;
    room.resolve();
    yield next;
  }
  await reading;
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
