interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Who waits for what, by its id; each may leave before. */
export class Waiters<T> {
  readonly #waiters = new Map<string, Set<Waiter<T>>>();

  /** How many ids somebody waits for. */
  get size(): number {
    return this.#waiters.size;
  }

  /** Throws the signal's reason once it aborts. */
  wait(id: string, signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters);
      const leave = (): void => {
        waiters.delete(waiter);
        // Once they were told the id may have others.
        if (waiters.size === 0 && this.#waiters.get(id) === waiters) this.#waiters.delete(id);
        reject(signal?.reason as Error);
      };
      const settled =
        <V>(then: (value: V) => void) =>
        (value: V): void => {
          signal?.removeEventListener("abort", leave);
          then(value);
        };
      const waiter: Waiter<T> = { resolve: settled(resolve), reject: settled(reject) };
      waiters.add(waiter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  resolve(id: string, value: T): void {
    for (const waiter of this.#leave(id)) waiter.resolve(value);
  }

  reject(id: string, error: unknown): void {
    for (const waiter of this.#leave(id)) waiter.reject(error);
  }

  rejectAll(error: unknown): void {
    for (const id of this.#waiters.keys()) this.reject(id, error);
  }

  #leave(id: string): Iterable<Waiter<T>> {
    const waiters = this.#waiters.get(id) ?? [];
    this.#waiters.delete(id);
    return waiters;
  }
}
