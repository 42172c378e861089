import { webStream, type Fetch, type Reads } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { CallTimeout } from "./call-timeout.ts";

/**
 * Breaks off an event stream on which nothing comes for `idleMs`, not even a heartbeat, or for
 * `firstEventMs` where nothing has come at all: a connection
 * that was cut without a word would otherwise be waited on for minutes. Taking the task up again
 * costs little, so a quiet agent is none the worse for it. Of such a response only `body` can be read.
 */
export function withIdleLimit(
  fetchImpl: Fetch,
  clock: Clock,
  limits: { readonly idleMs: number; readonly firstEventMs: number },
  /** The agent in words, to begin a sentence with. */
  where: string,
  /** Who gets to see the text of a request's stream before its reader does. */
  watch: (signal: AbortSignal | null | undefined) => ((text: string) => void) | undefined = () => undefined,
): Fetch {
  return async (input, init) => {
    const response = await fetchImpl(input, init);
    const streamed = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    if (!streamed || response.body === null) return response;
    const limited = new LimitedBody({
      reader: response.body.getReader(),
      clock,
      ...limits,
      where,
      watch: watch(init?.signal),
    });
    // In its place rather than in a response of its own: making one takes as long as a hop's decoding.
    return Object.defineProperty(response, "body", { value: limited });
  };
}

interface Limits {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly clock: Clock;
  readonly idleMs: number;
  readonly firstEventMs: number;
  readonly where: string;
  readonly watch: ((text: string) => void) | undefined;
}

/**
 * The body under its limit. Event streams are decoded by piping them through a `TextDecoderStream`,
 * which puts three queues under each chunk and takes a tenth of the time to the first token; asked
 * for that, this one decodes as it reads. A stream of the platform is made for any other reader.
 */
class LimitedBody {
  readonly #bytes: Reads<Uint8Array>;
  readonly #watch: Limits["watch"];
  #stream: ReadableStream<Uint8Array> | undefined;

  constructor(limits: Limits) {
    this.#bytes = limitedReads(limits);
    this.#watch = limits.watch;
  }

  get stream(): ReadableStream<Uint8Array> {
    this.#stream ??= webStream(this.#bytes);
    return this.#stream;
  }

  getReader(): ReadableStreamDefaultReader<Uint8Array> {
    return this.stream.getReader();
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#stream === undefined ? this.#bytes.cancel(reason) : this.#stream.cancel(reason);
  }

  pipeThrough<T>(
    transform: ReadableWritablePair<T, Uint8Array>,
    options?: Parameters<ReadableStream["pipeThrough"]>[1],
  ): ReadableStream<T> | { getReader(): Reads<string> & { releaseLock(): void } } {
    if (!(transform instanceof TextDecoderStream)) return this.stream.pipeThrough(transform, options);
    const decoder = new TextDecoder(transform.encoding, transform);
    const reads = decodedReads(this.#bytes, decoder, this.#watch);
    return { getReader: () => ({ ...reads, releaseLock: () => undefined }) };
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.stream[Symbol.asyncIterator]();
  }
}

function decodedReads(
  bytes: Reads<Uint8Array>,
  decoder: Pick<InstanceType<typeof TextDecoder>, "decode">,
  watch: Limits["watch"],
): Reads<string> {
  let ended = false;
  return {
    async read() {
      while (!ended) {
        const { done, value } = await bytes.read();
        ended = done;
        const text = decoder.decode(value, { stream: !done });
        if (text === "") continue;
        watch?.(text);
        return { done: false, value: text };
      }
      return { done: true, value: undefined };
    },
    cancel: (reason) => bytes.cancel(reason),
  };
}

function limitedReads({ reader, clock, idleMs, firstEventMs, where }: Limits): Reads<Uint8Array> {
  let limitMs = Math.max(idleMs, firstEventMs);
  /** Since when a read waits. A reader above that takes its time is no silence. */
  let waitingSince: number | undefined;
  let stop: (() => void) | undefined;
  let broken: CallTimeout | undefined;
  /** One timer that looks now and then, not one a chunk: chunks are many, and silence is rare. */
  const watch = (ms: number): void => {
    stop = clock.schedule(ms, () => {
      const left = waitingSince === undefined ? limitMs : waitingSince + limitMs - clock.now();
      if (left > 0) {
        watch(left);
        return;
      }
      // The read that waits ends with the reader.
      broken = new CallTimeout(where, "fell silent: nothing came on its stream", limitMs, "for");
      reader.cancel(broken).catch(() => undefined);
    });
  };
  return {
    async read() {
      waitingSince = clock.now();
      if (stop === undefined) watch(limitMs);
      let over = true;
      try {
        const result = await reader.read();
        if (broken !== undefined) throw broken;
        if (limitMs !== idleMs) {
          limitMs = idleMs;
          stop?.();
          stop = undefined;
        }
        over = result.done;
        return result;
      } finally {
        waitingSince = undefined;
        if (over) stop?.();
      }
    },
    cancel(reason) {
      stop?.();
      return reader.cancel(reason);
    },
  };
}
