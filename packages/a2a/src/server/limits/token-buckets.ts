import type { Clock } from "@troupe/stream";

/** Callers remembered at a time; of more, who was quiet for longest is forgotten, and so forgiven. */
const MAX_KEYS = 10_000;
const MINUTE_MS = 60_000;

interface Bucket {
  tokens: number;
  at: number;
}

export interface TokenBuckets {
  /** Takes one, or as many as are said; answers 0, or takes none and answers the milliseconds until there are so many. */
  take(key: string, count?: number): number;
  /** Buckets that are kept. */
  size(): number;
}

/**
 * A bucket of tokens each: it holds what a minute may have and fills evenly. Whoever asked nothing for
 * a minute has a full one, which is the same as none: so it is let go, and memory follows those who
 * were there in the last minute, bounded by `maxKeys`.
 */
export function tokenBuckets(options: {
  readonly clock: Clock;
  readonly perMinute: number;
  readonly maxKeys?: number;
}): TokenBuckets {
  const { clock, perMinute, maxKeys = MAX_KEYS } = options;
  const everyMs = MINUTE_MS / perMinute;
  /** Who asked last stands last. */
  const buckets = new Map<string, Bucket>();

  const forget = (now: number): void => {
    for (const [key, { at }] of buckets) {
      if (buckets.size <= maxKeys && now - at < MINUTE_MS) return;
      buckets.delete(key);
    }
  };

  return {
    take(key, count = 1) {
      if (perMinute === Number.POSITIVE_INFINITY) return 0;
      const now = clock.now();
      const { tokens, at } = buckets.get(key) ?? { tokens: perMinute, at: now };
      // A clock that is set back takes nothing away.
      const filled = Math.min(perMinute, tokens + Math.max(0, now - at) / everyMs);
      buckets.delete(key);
      buckets.set(key, { tokens: filled >= count ? filled - count : filled, at: now });
      forget(now);
      return filled >= count ? 0 : (count - filled) * everyMs;
    },
    size() {
      return buckets.size;
    },
  };
}
