import type { Clock } from "@troupe/stream";

/** The longest wait of a platform timer, in milliseconds; it ends a longer one at once. */
const LONGEST_MS = 2 ** 31 - 1;

const schedule: Clock["schedule"] = (ms, fn) => {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (left: number): void => {
    const rest = left - LONGEST_MS;
    timer = rest > 0 ? setTimeout(() => wait(rest), LONGEST_MS) : setTimeout(fn, left);
  };
  wait(ms);
  return () => clearTimeout(timer);
};

/** The sleep of a clock by its timers. */
export function sleepBy(schedule: Clock["schedule"]): Clock["sleep"] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      const cancel = schedule(ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      signal?.addEventListener("abort", onAbort, { once: true });
    });
}

/** Real time. */
export const systemClock: Clock = { now: () => Date.now(), schedule, sleep: sleepBy(schedule) };
