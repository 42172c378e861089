import { LimiterFull } from "./limiter-full.ts";

/** Lets `max` hold a place at the same time; the others wait in line. */
export interface Limiter {
  /**
   * Resolves with the function that gives the place back, which may be called again without harm.
   * Rejects with the signal's reason, and with a `LimiterFull` (`limiter.full`) when the line is as long as it may be.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
  waiting(): number;
}

export interface LimiterOptions {
  /** How many may wait; any number by default. */
  readonly maxWaiting?: number;
}

export function createLimiter(max: number, { maxWaiting = Infinity }: LimiterOptions = {}): Limiter {
  let free = max;
  // Whoever leaves is taken out wherever it stands; a set keeps the order all the same.
  const line = new Set<() => void>();

  const giveBack = (): (() => void) => {
    let done = false;
    return () => {
      if (done) return;
      done = true;
      const [next] = line;
      if (next) next();
      else free++;
    };
  };

  return {
    waiting() {
      return line.size;
    },
    acquire(signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (free > 0) {
        free--;
        return Promise.resolve(giveBack());
      }
      if (line.size >= maxWaiting) return Promise.reject(new LimiterFull(max, maxWaiting));
      return new Promise((resolve, reject) => {
        const enter = (): void => {
          line.delete(enter);
          signal.removeEventListener("abort", leave);
          resolve(giveBack());
        };
        const leave = (): void => {
          line.delete(enter);
          reject(signal.reason as Error);
        };
        line.add(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
