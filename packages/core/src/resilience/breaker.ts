import type { Clock } from "@troupe/stream";

export type BreakerState = "closed" | "open" | "half-open";

/** Leave to make one call. Exactly one of its methods is called once the call is over. */
export interface Pass {
  /** The server answered, whatever it said. */
  succeeded(): void;
  /** The server's health is in doubt. */
  failed(): void;
  /** Nothing was learnt, because the caller gave up. */
  released(): void;
}

export interface Breaker {
  state(): BreakerState;
  /** Calls in a row that failed. */
  failures(): number;
  /** Milliseconds until a trial call is let through; 0 when one may go now. */
  retryInMs(): number;
  /** Undefined when no call may be made now. */
  enter(): Pass | undefined;
  /** It was seen to work in another way: the next call is the trial, without waiting for the cooldown. */
  relent(): void;
}

export interface BreakerOptions {
  readonly clock: Clock;
  /** Failures in a row that open it. Default 5. */
  readonly threshold?: number;
  /** How long it stays open before one trial call, in milliseconds. Default 60,000. */
  readonly cooldownMs?: number;
  /** The cooldown doubles with every trial that fails, up to this. As `cooldownMs` by default. */
  readonly maxCooldownMs?: number;
  readonly onOpen?: () => void;
}

/**
 * Stops calling a server that does not work. Open, it lets nothing through; when the cooldown is
 * over one trial call decides, and everyone else is still refused until it has.
 */
export function createBreaker(options: BreakerOptions): Breaker {
  const { clock, threshold = 5, cooldownMs = 60_000, maxCooldownMs = cooldownMs } = options;
  let cooldown = cooldownMs;
  let failures = 0;
  let openedAt: number | undefined;
  let trial: symbol | undefined;

  const retryInMs = (): number =>
    openedAt === undefined ? 0 : Math.max(0, openedAt + cooldown - clock.now());

  return {
    state() {
      if (openedAt === undefined) return "closed";
      return retryInMs() === 0 ? "half-open" : "open";
    },
    failures() {
      return failures;
    },
    retryInMs,
    enter() {
      if (openedAt !== undefined && (retryInMs() > 0 || trial !== undefined)) return undefined;
      const me = Symbol("call");
      const isTrial = openedAt !== undefined;
      if (isTrial) trial = me;
      const endTrial = (): void => {
        if (trial === me) trial = undefined;
      };
      return {
        succeeded() {
          endTrial();
          // An answer to a call from before it opened says nothing about now.
          if (openedAt !== undefined && !isTrial) return;
          failures = 0;
          openedAt = undefined;
          cooldown = cooldownMs;
        },
        failed() {
          endTrial();
          if (openedAt !== undefined && !isTrial) return;
          failures = isTrial ? failures : failures + 1;
          if (failures < threshold) return;
          if (isTrial) cooldown = Math.min(cooldown * 2, maxCooldownMs);
          openedAt = clock.now();
          options.onOpen?.();
        },
        released: endTrial,
      };
    },
    relent() {
      if (openedAt !== undefined) openedAt = Math.min(openedAt, clock.now() - cooldown);
    },
  };
}
