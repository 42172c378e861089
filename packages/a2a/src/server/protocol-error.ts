import { A2AError } from "@a2a-js/sdk/errors";
import { StoreError, type Log } from "@troupe/core";

import { UnavailableError } from "./status-error.ts";

export const SEE_LOG = "The agent could not handle the request. Its log says why.";

/** What a store says that may take the same again later; of a message sent twice one is taken. */
const AWAY: ReadonlySet<string> = new Set(["store.full", "store.io", "store.locked"]);

/** What is told of an error that is none of the protocol's: it goes to the log whole. */
export function asProtocolError(error: unknown, log: Log): A2AError {
  if (error instanceof A2AError) return error;
  log.error("request failed", { error });
  return error instanceof StoreError && AWAY.has(error.code)
    ? new UnavailableError("The agent cannot reach its tasks just now; ask again in a while.")
    : new A2AError(SEE_LOG);
}
