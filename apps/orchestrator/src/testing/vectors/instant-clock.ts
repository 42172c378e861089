import type { Clock } from "@troupe/stream";

/** A clock on which nothing has to be waited for: a sleep is over at once, and no deadline comes. */
export const instantClock: Clock = {
  now: () => 0,
  schedule: () => () => undefined,
  sleep: () => Promise.resolve(),
};
