/** Lets `max` hold a place at the same time; the others wait in line. */
export interface Limiter {
  /** Resolves with the function that gives the place back; rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<() => void>;
  readonly waiting: number;
}

export function createLimiter(max: number): Limiter {
  let free = max;
  const line: (() => void)[] = [];

  const giveBack = (): (() => void) => {
    let done = false;
    return () => {
      if (done) return;
      done = true;
      const next = line.shift();
      if (next) next();
      else free++;
    };
  };

  return {
    get waiting() {
      return line.length;
    },
    acquire(signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (free > 0) {
        free--;
        return Promise.resolve(giveBack());
      }
      return new Promise((resolve, reject) => {
        const enter = (): void => {
          signal.removeEventListener("abort", leave);
          resolve(giveBack());
        };
        const leave = (): void => {
          line.splice(line.indexOf(enter), 1);
          reject(signal.reason as Error);
        };
        line.push(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
