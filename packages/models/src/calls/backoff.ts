const FIRST_MS = 500;
const MOST_MS = 8_000;
/** A provider that asks for more is not waited for here: the caller knows its own deadline. */
const LONGEST_WAIT_MS = 60_000;

/**
 * How long to wait before attempt `failures + 1`, in milliseconds: what the provider asked for,
 * else doubling with up to a quarter of jitter. Undefined when waiting that long is not for us.
 */
export function backoffMs(
  failures: number,
  askedMs: number | undefined,
  random: () => number,
): number | undefined {
  if (askedMs !== undefined) return askedMs <= LONGEST_WAIT_MS ? askedMs : undefined;
  return Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS) * (1 - random() / 4);
}
