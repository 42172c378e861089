import { isTroupeError } from "../errors/troupe-error.ts";
import type { Middleware } from "./middleware.ts";

/** How often a round is asked again after the first time. */
const MAX_RETRIES = 2;
const BASE_DELAY_MS = 500;
/** A provider that wants us to wait longer than this is down as far as this run goes. */
const MAX_DELAY_MS = 60_000;

/** Asks a round again when its error may pass: after what the provider wants, else ever later. */
export function retry(): Middleware {
  return {
    name: "retry",
    onModelError(error, failures) {
      if (failures > MAX_RETRIES || !isTroupeError(error) || !error.retryable) return undefined;
      const asked = "retryAfterMs" in error ? error.retryAfterMs : undefined;
      const delay = typeof asked === "number" ? asked : BASE_DELAY_MS * 2 ** (failures - 1);
      return delay <= MAX_DELAY_MS ? delay : undefined;
    },
  };
}
