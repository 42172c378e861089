import type { Readable } from "node:stream";

import { webStream, type Reads } from "../../net/reads.ts";

/** What a stream nobody reads may still take to end, in milliseconds. */
const DRAIN_MS = 100;

/**
 * The body of an event stream, read from Node's stream without a web stream between. `getReader` gives
 * what a reader of bytes needs; a stream of the platform is made for whoever pipes or iterates it.
 */
export class EventBody {
  readonly #source: Readable;
  readonly #signal: AbortSignal | undefined;
  #stream: ReadableStream<Uint8Array> | undefined;
  #wake: (() => void) | undefined;
  #error: Error | undefined;
  #canceled = false;

  constructor(source: Readable, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#signal = signal;
    const wake = (): void => this.#wake?.();
    source.on("readable", wake);
    source.on("end", wake);
    source.on("close", wake);
    source.on("error", (error) => {
      this.#error = error;
      wake();
    });
  }

  getReader(): Reads<Uint8Array> & { releaseLock(): void } {
    return {
      read: () => this.#read(),
      cancel: (reason) => this.cancel(reason),
      releaseLock: () => undefined,
    };
  }

  /**
   * Mostly the reader has had the last event, and the end is on its way: with it the connection can be
   * used again. One that goes on is closed; where the reason is an error, at once.
   */
  cancel(reason?: unknown): Promise<void> {
    const source = this.#source;
    this.#canceled = true;
    this.#wake?.();
    if (reason instanceof Error) {
      source.destroy();
      return Promise.resolve();
    }
    const close = setTimeout(() => source.destroy(), DRAIN_MS).unref();
    source.once("close", () => clearTimeout(close)).resume();
    return Promise.resolve();
  }

  pipeThrough<T>(transform: ReadableWritablePair<T, Uint8Array>): ReadableStream<T> {
    return this.#web().pipeThrough(transform);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#web()[Symbol.asyncIterator]();
  }

  async #read(): ReturnType<Reads<Uint8Array>["read"]> {
    while (!this.#canceled) {
      const chunk = this.#source.read() as Uint8Array | null;
      if (chunk !== null) return { done: false, value: chunk };
      if (this.#source.readableEnded) return { done: true, value: undefined };
      this.#throwIfBroken();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { done: true, value: undefined };
  }

  #throwIfBroken(): void {
    if (!this.#source.destroyed && this.#error === undefined) return;
    this.#signal?.throwIfAborted();
    throw new TypeError("terminated", { cause: this.#error });
  }

  #web(): ReadableStream<Uint8Array> {
    this.#stream ??= webStream(this.getReader());
    return this.#stream;
  }
}
