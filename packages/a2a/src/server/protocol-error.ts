import { A2AError } from "@a2a-js/sdk/errors";
import type { Log } from "@troupe/core";

export const SEE_LOG = "The agent could not handle the request. Its log says why.";

/** What is told of an error that is none of the protocol's: it goes to the log whole. */
export function asProtocolError(error: unknown, log: Log): A2AError {
  if (error instanceof A2AError) return error;
  log.error("request failed", { error });
  return new A2AError(SEE_LOG);
}
