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

/** What a body has beyond so many bytes, or values, counts as further calls: it takes as long as they do. */
const BYTES_A_CALL = 64 * 1024;
const VALUES_A_CALL = 500;

/**
 * Bodies of the largest size that may be on their way at a time: each is held until it is whole. As much
 * again may be on its way in large answers, each of which is held until its reader has taken it.
 */
const BODIES_AT_ONCE = 32;

/** What one caller has a share of. All of it throws a `LimitError` when the share is used up. */
export interface Account {
  /** A call begins. */
  call(): Release;
  /** Its body comes, of so many bytes at most; until the release. */
  coming(bytes: number): Release;
  /** A large answer goes out, of so many bytes; until the release. A single one always can. */
  going(bytes: number): Release;
  /** Its body has come. Whether it is a large one, which counts as more than the call. */
  body(came: { readonly bytes: number; readonly values: number }): boolean;
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
  const bytesAtOnce = BODIES_AT_ONCE * limits.bodyBytes;
  const bodies = slots(bytesAtOnce);
  const answers = slots(bytesAtOnce);
  const place = (kind: Slots, key: string, limit: number, what: string, places = 1): Release => {
    const release = kind.take(key, places);
    if (release !== undefined) return release;
    throw new LimitError("TOO_MANY", `${limit} ${what}; let one of them end first.`, {
      retryAfterMs: SOON_MS,
      limit,
    });
  };
  const spend = (key: string, count: number): void => {
    const waitMs = rate.take(key, count);
    if (waitMs === 0) return;
    const what = count === 1 ? "calls" : "calls, or bodies as large as so many,";
    throw new LimitError(
      "TOO_MANY",
      `More than ${requestsPerMinute} ${what} a minute came from you; wait as Retry-After says.`,
      { retryAfterMs: waitMs, limit: requestsPerMinute },
    );
  };
  return {
    of(user, address) {
      const key = user === undefined ? `address ${addressKey(address)}` : `user ${user}`;
      return {
        call() {
          spend(key, 1);
          return place(calls, key, streamsPerUser + CALLS_BESIDE, "calls of yours are going on already");
        },
        coming(bytes) {
          return place(bodies, key, BODIES_AT_ONCE, "large bodies of yours are on their way", bytes);
        },
        going(bytes) {
          const what = "bytes of large answers to you may be on their way";
          return place(answers, key, bytesAtOnce, what, Math.min(bytes, bytesAtOnce));
        },
        body({ bytes, values }) {
          const more = Math.floor(bytes / BYTES_A_CALL) + Math.floor(values / VALUES_A_CALL);
          // A single one can always be sent, if only once a minute.
          const count = Math.min(more, requestsPerMinute - 1);
          if (count > 0) spend(key, count);
          return more > 0;
        },
        stream: () => place(streams, key, streamsPerUser, "streams of yours are open already"),
        task: () => place(tasks, key, tasksPerUser, "tasks of yours are being worked on already"),
      };
    },
  };
}
