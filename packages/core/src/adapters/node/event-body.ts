import type { Readable } from "node:stream";

import { webStream, type Reads } from "../../net/reads.ts";

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
      cancel: () => this.cancel(),
      releaseLock: () => undefined,
    };
  }

  cancel(): Promise<void> {
    this.#source.destroy();
    return Promise.resolve();
  }

  pipeThrough<T>(transform: ReadableWritablePair<T, Uint8Array>): ReadableStream<T> {
    return this.#web().pipeThrough(transform);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#web()[Symbol.asyncIterator]();
  }

  async #read(): ReturnType<Reads<Uint8Array>["read"]> {
    for (;;) {
      const chunk = this.#source.read() as Uint8Array | null;
      if (chunk !== null) return { done: false, value: chunk };
      if (this.#source.readableEnded) return { done: true, value: undefined };
      this.#throwIfBroken();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
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
