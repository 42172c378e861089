import type { Clock } from "@troupe/stream";

import type { Fetch } from "../adapters/default-fetch.ts";

/**
 * Breaks off an event stream on which nothing comes for `idleMs`, not even a heartbeat: a connection
 * that was cut without a word would otherwise be waited on for minutes. Taking the task up again
 * costs little, so a quiet agent is none the worse for it. Of such a response only `body` can be read.
 */
export function withIdleLimit(fetchImpl: Fetch, clock: Clock, idleMs: number): Fetch {
  return async (input, init) => {
    const response = await fetchImpl(input, init);
    const streamed = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    if (!streamed || response.body === null) return response;
    const limited = new LimitedBody({ reader: response.body.getReader(), clock, idleMs });
    // In its place rather than in a response of its own: making one takes as long as a hop's decoding.
    return Object.defineProperty(response, "body", { value: limited });
  };
}

/** The same for the platform's types as for those of a browser. */
interface Source<T> {
  readonly type?: undefined;
  pull(controller: ReadableStreamDefaultController<T>): Promise<void>;
  cancel(reason: unknown): Promise<void>;
}

interface Limits {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly clock: Clock;
  readonly idleMs: number;
}

/**
 * The body under its limit. Event streams are decoded by piping them through a `TextDecoderStream`,
 * which puts three queues under each chunk and takes a tenth of the time to the first token; asked
 * for that, this one decodes as it reads.
 */
class LimitedBody extends ReadableStream<Uint8Array> {
  readonly #limits: Limits;

  constructor(limits: Limits) {
    super(
      limitedSource(limits, (chunk) => chunk ?? new Uint8Array()),
      { highWaterMark: 0 },
    );
    this.#limits = limits;
  }

  override pipeThrough<T>(
    transform: ReadableWritablePair<T, Uint8Array>,
    options?: Parameters<ReadableStream["pipeThrough"]>[1],
  ): ReadableStream<T> {
    if (!(transform instanceof TextDecoderStream)) return super.pipeThrough<T>(transform, options);
    const decoder = new TextDecoder(transform.encoding, transform);
    const decode = (chunk: Uint8Array | undefined): T =>
      decoder.decode(chunk, { stream: chunk !== undefined }) as T;
    return new ReadableStream(limitedSource(this.#limits, decode), { highWaterMark: 0 });
  }
}

/** `map` is called with nothing at the end, for what it still holds. */
function limitedSource<T>(
  { reader, clock, idleMs }: Limits,
  map: (chunk: Uint8Array | undefined) => T,
): Source<T> {
  /** Since when a read waits. A reader above that takes its time is no silence. */
  let waitingSince: number | undefined;
  let stop: (() => void) | undefined;
  /** One timer that looks now and then, not one a chunk: chunks are many, and silence is rare. */
  const watch = (controller: ReadableStreamDefaultController<T>, ms: number): void => {
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
  return {
    async pull(controller: ReadableStreamDefaultController<T>) {
      waitingSince = clock.now();
      if (stop === undefined) watch(controller, idleMs);
      try {
        const { done, value } = await reader.read();
        waitingSince = undefined;
        controller.enqueue(map(value));
        if (!done) return;
        stop?.();
        controller.close();
      } catch (error) {
        stop?.();
        controller.error(error);
      }
    },
    cancel(reason: unknown) {
      stop?.();
      return reader.cancel(reason);
    },
  };
}
