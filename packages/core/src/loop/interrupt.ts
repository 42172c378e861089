/**
 * Lets one wait at a time be cut short by a signal, also when what is awaited ignores it. One
 * listener for the whole run: a listener per token would cost more than the token.
 */
export class Interrupt {
  readonly signal: AbortSignal;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener("abort", () => this.#reject?.(signal.reason), { once: true });
  }

  /** Settles as `work` does, or rejects with the signal's reason as soon as that aborts. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(resolve, reject);
      if (this.signal.aborted) reject(this.signal.reason as Error);
      else this.#reject = reject;
    });
  }
}
