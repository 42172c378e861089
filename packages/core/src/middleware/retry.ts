import { systemRandom } from "../adapters/system-random.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import { backoffMs } from "../resilience/backoff.ts";
import type { Middleware } from "./middleware.ts";

/** How often a round is asked again after the first time. */
const MAX_RETRIES = 2;
const FIRST_MS = 500;
const MOST_MS = 8_000;

/**
 * Asks a round again when its error may pass: after what the provider wants, else ever later. One that
 * wants more than a minute is down as far as this run goes.
 *
 * @param random uniform in [0, 1), for the jitter
 */
export function retry(random: () => number = systemRandom): Middleware {
  return {
    name: "retry",
    onModelError(error, failures) {
      if (failures > MAX_RETRIES || !isTroupeError(error) || !error.retryable) return undefined;
      const asked = "retryAfterMs" in error ? error.retryAfterMs : undefined;
      const askedMs = typeof asked === "number" ? asked : undefined;
      return backoffMs(failures, { firstMs: FIRST_MS, mostMs: MOST_MS, askedMs, random });
    },
  };
}
