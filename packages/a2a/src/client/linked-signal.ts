/**
 * A signal for one call that aborts with another. fetch leaves its listeners on the signal it is given
 * until that is collected, so on one that outlives the call, such as that of a process, each request
 * would find more of them and take longer.
 */
export function linkedSignal(signal: AbortSignal): {
  readonly signal: AbortSignal;
  /** Ends this call alone. */
  abort(reason: unknown): void;
  /** The call is over. */
  release(): void;
} {
  const call = new AbortController();
  const abort = (): void => call.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return {
    signal: call.signal,
    abort: (reason) => call.abort(reason),
    release: () => signal.removeEventListener("abort", abort),
  };
}
