/** Time as a port: everything outside adapters takes its time from here, so a test can own it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `fn` once after `ms` milliseconds, unless the returned function is called first. */
  schedule(ms: number, fn: () => void): () => void;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
