import type { Clock } from "@troupe/stream";

import { sleepBy } from "../adapters/system-clock.ts";

export interface VirtualClock extends Clock {
  /** Moves time forward, running what falls due in order and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Timers that still wait. */
  readonly pending: number;
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly fn: () => void;
}

/** A clock on which nothing has to be waited for: a sleep is over at once, and no deadline comes. */
export const instantClock: Clock = {
  now: () => 0,
  schedule: () => () => undefined,
  sleep: () => Promise.resolve(),
};

/** A clock that only moves when a test says so. Starts at `start`, in milliseconds. */
export function virtualClock(start = 1_700_000_000_000): VirtualClock {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();

  const earliest = (until: number): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers) {
      if (timer.due > until) continue;
      if (!found || timer.due < found.due || (timer.due === found.due && timer.order < found.order))
        found = timer;
    }
    return found;
  };

  const schedule = (ms: number, fn: () => void): (() => void) => {
    const timer: Timer = { due: now + Math.max(0, ms), order: order++, fn };
    timers.add(timer);
    return () => timers.delete(timer);
  };

  return {
    now: () => now,
    schedule,
    sleep: sleepBy(schedule),
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let timer = earliest(until); timer; timer = earliest(until)) {
        now = timer.due;
        timers.delete(timer);
        timer.fn();
        await settle();
      }
      now = until;
    },
    get pending() {
      return timers.size;
    },
  };
}

/** One turn of the event loop: every promise job that is ready has run after it. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
