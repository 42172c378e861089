import { AgentError, readAtMost, type Fetch } from "@troupe/core";

import { isObject, parseJson } from "../wire/json.ts";

/** Of an answer that says no, so much is read for its words. */
export const MAX_REFUSAL_BYTES = 4_096;

/**
 * Tells apart who is not known and who may not: a server says it by the status, whatever the binding.
 * Throws an `AgentError`, `agent.unauthenticated` or `agent.forbidden`.
 *
 * @param where the agent in words, to begin a sentence with
 */
export function withRefusals(fetchImpl: Fetch, where: string): Fetch {
  return async (input, init) => {
    const response = await fetchImpl(input, init);
    if (response.status === 401) {
      await response.body?.cancel();
      throw new AgentError(
        "agent.unauthenticated",
        `${where} asks who calls, and does not know this caller.`,
      );
    }
    if (response.status === 403) {
      const said = reasonIn(await readAtMost(response, MAX_REFUSAL_BYTES));
      throw new AgentError(
        "agent.forbidden",
        `${where} refuses this caller${said === "" ? "." : `: ${said}`}`,
      );
    }
    return response;
  };
}

/** What a JSON-RPC error, a google.rpc.Status or our own `{ error }` says. */
export function reasonIn(text: string): string {
  const body = parseJson(text);
  const error = isObject(body) ? body["error"] : undefined;
  const message = isObject(error) ? error["message"] : error;
  return typeof message === "string" ? message.slice(0, 300).toWellFormed() : "";
}
