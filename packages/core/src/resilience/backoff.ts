export interface BackoffOptions {
  /** Before the second attempt, in milliseconds; doubled for each further one. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** What the other side asked for, in milliseconds. */
  readonly askedMs?: number | undefined;
  /** One that asks for more is not waited for: the caller knows its own deadline. 60,000 by default. */
  readonly longestAskedMs?: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/**
 * How long to wait before attempt `failures + 1`, in milliseconds: what the other side asked for,
 * else doubling with up to a quarter of jitter taken off. Of what was asked nothing is taken off: the
 * jitter comes on top, so that those who were told the same do not come back at once. Undefined when
 * waiting that long is not for us.
 */
export function backoffMs(failures: number, options: BackoffOptions): number | undefined {
  const { firstMs, mostMs, askedMs, longestAskedMs = 60_000, random } = options;
  if (askedMs === undefined) return Math.min(firstMs * 2 ** (failures - 1), mostMs) * (1 - random() / 4);
  if (askedMs > longestAskedMs) return undefined;
  return askedMs + (Math.min(askedMs, firstMs) * random()) / 4;
}
