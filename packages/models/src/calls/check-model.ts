import type { Clock } from "@troupe/stream";

import { explainFailure, type Endpoint } from "./explain-failure.ts";

/** Statuses of a server that keeps no list of its models: it says nothing about them. */
const NO_LIST = new Set([400, 404, 405, 501]);

/**
 * Asks an endpoint something that costs no tokens, to see whether it could be asked more. Throws the
 * `ModelError` that a call would have failed with, or the signal's reason.
 */
export async function checkModel(
  ask: () => Promise<unknown>,
  options: { readonly endpoint: Endpoint; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    options.signal.throwIfAborted();
    const status = error instanceof Error && "status" in error ? error.status : undefined;
    if (typeof status === "number" && NO_LIST.has(status)) return;
    throw explainFailure(error, options.endpoint, false, options.clock.now());
  }
}
