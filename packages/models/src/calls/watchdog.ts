import type { Clock } from "@troupe/stream";

export type Stall = "first-token" | "idle" | "endless";

/** Watches one attempt at a model call and aborts it when nothing comes any more, or too much. */
export interface Watchdog {
  /** Goes to the SDK. Aborts on its own account and on the caller's abort. */
  readonly signal: AbortSignal;
  /** Why it aborted on its own account. */
  stalled(): Stall | undefined;
  /** So many bytes arrived. */
  alive(bytes: number): void;
  /** Content arrived: from here on the idle limit holds. */
  started(): void;
  /** The consumer has the turn: silence is its own doing. */
  pause(): void;
  /** The model has the turn again. */
  resume(): void;
  dispose(): void;
}

export interface WatchdogLimits {
  readonly firstTokenTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Bytes of the whole response, before anything of it is read: what has no end fills no memory. */
  readonly maxBytes: number;
}

/**
 * One timer at a time, not one per token: when the idle timer fires it looks at the last sign of
 * life and sleeps for what is left.
 */
export function createWatchdog(clock: Clock, caller: AbortSignal, limits: WatchdogLimits): Watchdog {
  const controller = new AbortController();
  let stalled: Stall | undefined;
  let lastSign = clock.now();
  let paused = false;
  let begun = false;
  let received = 0;

  const stop = (why: Stall): void => {
    stalled ??= why;
    controller.abort();
  };
  let cancelTimer = clock.schedule(limits.firstTokenTimeoutMs, () => stop("first-token"));
  const watchIdle = (ms: number): void => {
    cancelTimer = clock.schedule(ms, () => {
      const left = paused ? limits.idleTimeoutMs : lastSign + limits.idleTimeoutMs - clock.now();
      if (left > 0) watchIdle(left);
      else stop("idle");
    });
  };
  const onAbort = (): void => controller.abort(caller.reason);
  if (caller.aborted) onAbort();
  else caller.addEventListener("abort", onAbort, { once: true });

  return {
    signal: controller.signal,
    stalled() {
      return stalled;
    },
    alive(bytes) {
      lastSign = clock.now();
      received += bytes;
      if (received > limits.maxBytes) stop("endless");
    },
    started() {
      if (begun) return;
      begun = true;
      lastSign = clock.now();
      cancelTimer();
      watchIdle(limits.idleTimeoutMs);
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      lastSign = clock.now();
    },
    dispose() {
      cancelTimer();
      caller.removeEventListener("abort", onAbort);
    },
  };
}
