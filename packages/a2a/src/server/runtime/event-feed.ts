import type { WireEvent } from "../../wire/parts.ts";

/** Updates a subscriber may be behind; one that is slower is cut off and may subscribe again. */
const MAX_BEHIND = 10_000;

/** Hands what is published to whoever subscribed, each at its own pace. */
export class EventFeed {
  readonly #listeners = new Set<(event: WireEvent | undefined) => void>();

  push(event: WireEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Every stream ends after what it holds already. */
  close(): void {
    for (const listener of this.#listeners) listener(undefined);
  }

  /**
   * `first`, then what is pushed from now on, until the feed closes, the reader is too slow, or
   * `signal` aborts. The place among the listeners is taken before it returns.
   */
  subscribe(
    first: WireEvent,
    { over, signal }: { readonly over: boolean; readonly signal: AbortSignal | undefined },
  ): AsyncGenerator<WireEvent, void, undefined> {
    const queue: (WireEvent | undefined)[] = [first];
    if (over) queue.push(undefined);
    let wake = Promise.withResolvers<void>();
    const listener = (event: WireEvent | undefined): void => {
      // What it missed it gets as a snapshot; keeping it would only fill the memory.
      if (queue.length >= MAX_BEHIND) queue.splice(0, queue.length, undefined);
      else queue.push(event);
      wake.resolve();
    };
    const stop = (): void => listener(undefined);
    this.#listeners.add(listener);
    signal?.addEventListener("abort", stop, { once: true });
    const leave = (): void => {
      this.#listeners.delete(listener);
      signal?.removeEventListener("abort", stop);
    };
    return drain(
      queue,
      async () => {
        await wake.promise;
        wake = Promise.withResolvers();
      },
      leave,
    );
  }
}

async function* drain(
  queue: (WireEvent | undefined)[],
  wait: () => Promise<void>,
  leave: () => void,
): AsyncGenerator<WireEvent, void, undefined> {
  try {
    for (;;) {
      // Taken as a batch: shifting one by one is quadratic on a long queue.
      const batch = queue.splice(0);
      for (const event of batch) {
        if (event === undefined) return;
        yield event;
      }
      if (queue.length === 0) await wait();
    }
  } finally {
    leave();
  }
}
