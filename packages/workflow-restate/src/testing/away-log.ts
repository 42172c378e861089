import { StoreError } from "@troupe/core";
import type { RunLog } from "@troupe/workflow";

/** Has a log's storage away, and back: what is begun and asked is refused meanwhile. */
export function awayLog(events: RunLog): { away(): void; back(): void } {
  let isAway = false;
  const orAway =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isAway) throw new StoreError("store.io", "the database is away");
      return ask(...args);
    };
  events.begin = orAway(events.begin.bind(events));
  events.view = orAway(events.view.bind(events));
  return {
    away: () => {
      isAway = true;
    },
    back: () => {
      isAway = false;
    },
  };
}
