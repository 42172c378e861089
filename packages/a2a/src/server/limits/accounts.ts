import type { Clock } from "@troupe/stream";

import { addressKey } from "./address-key.ts";
import { LimitError } from "./limit-error.ts";
import type { ServerLimits } from "./server-limits.ts";
import { slots, type Release, type Slots } from "./slots.ts";
import { tokenBuckets } from "./token-buckets.ts";

/** When it may be tried again where nobody can tell when a place will be free. */
const SOON_MS = 1_000;

/** Beside its streams a caller may have this many short calls going, so that it can always cancel. */
const CALLS_BESIDE = 100;

/** What one caller has a share of. All of it throws a `LimitError` when the share is used up. */
export interface Account {
  /** A call begins. */
  call(): Release;
  /** A stream is opened, or a call waits for its task. */
  stream(): Release;
  /** A task is worked on. */
  task(): Release;
}

export interface Accounts {
  /** Of an authenticated user, else of the address a connection comes from. */
  of(user: string | undefined, address: string | undefined): Account;
}

/** The shares of all callers, under the same limits. */
export function createAccounts(limits: ServerLimits, clock: Clock): Accounts {
  const { streamsPerUser, tasksPerUser, requestsPerMinute } = limits;
  const rate = tokenBuckets({ clock, perMinute: requestsPerMinute });
  const calls = slots(streamsPerUser + CALLS_BESIDE);
  const streams = slots(streamsPerUser);
  const tasks = slots(tasksPerUser);
  const place = (kind: Slots, key: string, limit: number, what: string): Release => {
    const release = kind.take(key);
    if (release !== undefined) return release;
    throw new LimitError("TOO_MANY", `${limit} ${what}; let one of them end first.`, {
      retryAfterMs: SOON_MS,
      limit,
    });
  };
  return {
    of(user, address) {
      const key = user === undefined ? `address ${addressKey(address)}` : `user ${user}`;
      return {
        call() {
          const waitMs = rate.take(key);
          if (waitMs > 0)
            throw new LimitError(
              "TOO_MANY",
              `More than ${requestsPerMinute} calls a minute came from you; wait as Retry-After says.`,
              { retryAfterMs: waitMs, limit: requestsPerMinute },
            );
          return place(calls, key, streamsPerUser + CALLS_BESIDE, "calls of yours are going on already");
        },
        stream: () => place(streams, key, streamsPerUser, "streams of yours are open already"),
        task: () => place(tasks, key, tasksPerUser, "tasks of yours are being worked on already"),
      };
    },
  };
}
