import { UnavailableError } from "../status-error.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";

/** Less than callers wait for an answer. */
const STORE_PATIENCE_MS = 5_000;

/**
 * Waits for a cancellation to be stored, but not for as long as its store may be away: it goes on by itself.
 * Throws an `UnavailableError`.
 */
export async function untilStored(
  { clock }: Pick<AgentRuntimeOptions, "clock">,
  taskId: string,
  stored: Promise<void>,
): Promise<void> {
  const waited = new AbortController();
  const late = clock.sleep(STORE_PATIENCE_MS, waited.signal).then(
    () => true,
    () => false,
  );
  const away = await Promise.race([stored.then(() => false), late]);
  waited.abort();
  if (away)
    throw new UnavailableError(
      `Task ${taskId} is being canceled, but that could not be stored yet; ask for it again in a while.`,
    );
}
