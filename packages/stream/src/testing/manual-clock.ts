import type { Clock } from "../clock.ts";

export interface ManualClock extends Clock {
  /** Moves time to `at`, running what falls due in order, each followed by what promises then do. */
  moveTo(at: number): Promise<void>;
  /** Timers that still wait. */
  readonly timers: number;
}

/** Time that moves when a test says so, from 0. */
export function manualClock(): ManualClock {
  let now = 0;
  let timers: { readonly due: number; readonly fn: () => void }[] = [];
  const schedule: Clock["schedule"] = (ms, fn) => {
    const timer = { due: now + ms, fn };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    now: () => now,
    schedule,
    sleep: (ms) =>
      new Promise((resolve) => {
        schedule(ms, resolve);
      }),
    async moveTo(at) {
      await settle();
      for (;;) {
        const due = timers.filter((timer) => timer.due <= at).sort((a, b) => a.due - b.due)[0];
        if (due === undefined) break;
        now = due.due;
        timers = timers.filter((other) => other !== due);
        due.fn();
        await settle();
      }
      now = at;
    },
    get timers() {
      return timers.length;
    },
  };
}

/** Lets promises run: nothing in these tests waits for more than a few of them. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}
