import { AgentError, readAtMost, type Fetch } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { agentAddress, shown } from "../client/agent-address.ts";
import { ANSWER_MS } from "../client/call-limits.ts";
import { CallTimeout } from "../client/call-timeout.ts";
import { isConnectionError } from "../client/errors.ts";
import { CARD_PATH, MAX_CARD_BYTES } from "../client/fetch-card.ts";
import { linkedSignal } from "../client/linked-signal.ts";
import { endpointOf, type Endpoint, type Wanted } from "./endpoint.ts";
import { parseJson, recordOf, type JsonRecord } from "../wire/json.ts";

/** Where the card stood before 0.3. */
const OLD_CARD_PATH = ".well-known/agent.json";

export interface FindOptions {
  readonly fetchImpl: Fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly wanted: Wanted;
}

/**
 * Finds out how an agent is talked to. `url` is its address, that of its card, or one above or below
 * which the card stands. With a protocol given, an address without a card is taken for the endpoint.
 * Throws an `AgentError`: `agent.config`, `agent.unreachable`, `agent.protocol`, and `agent.timeout`
 * where a card does not come within 10 s.
 */
export async function findEndpoint(url: string, options: FindOptions): Promise<Endpoint> {
  const base = agentAddress(url);
  const { protocol, binding = "JSONRPC" } = options.wanted;
  const refused = new Set<number>();
  for (const address of candidates(base, protocol !== undefined)) {
    const { status, card } = await fetchCandidate(address, options);
    if (card !== undefined) return endpointOf(card, address, options.wanted);
    if (status !== 200) refused.add(status);
  }
  if (protocol !== undefined)
    return { url: base.href, protocol, binding, tenant: "", streaming: undefined, agent: "" };
  const denied = refused.has(401) || refused.has(403);
  const broken = [...refused].some((status) => status >= 500);
  throw new AgentError(
    broken ? "agent.unreachable" : "agent.protocol",
    denied
      ? `The agent at ${shown(base)} does not show its card without authentication.`
      : `No agent card at ${shown(base)} nor below it. If that is the endpoint itself, say which protocol it speaks, 1.0 or 0.3 (--protocol at the command line).`,
  );
}

function candidates(base: URL, endpointGiven: boolean): readonly string[] {
  if (base.pathname.endsWith(".json")) return [base.href];
  const below = new URL(base);
  below.pathname = base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`;
  const all = [`${below.pathname}${CARD_PATH}`, `${below.pathname}${OLD_CARD_PATH}`];
  // What stands at the root may be another agent's; an endpoint that was named is believed instead.
  if (!endpointGiven) all.push(base.pathname, `/${CARD_PATH}`);
  return [...new Set(all)].map((pathname) => {
    const url = new URL(base);
    url.pathname = pathname;
    return url.href;
  });
}

async function fetchCandidate(
  address: string,
  { fetchImpl, headers, signal, clock }: FindOptions,
): Promise<{ readonly status: number; readonly card: JsonRecord | undefined }> {
  const reading = linkedSignal(signal);
  const stop = clock.schedule(ANSWER_MS, () =>
    reading.abort(new CallTimeout(shown(address), "did not answer", ANSWER_MS)),
  );
  try {
    const response = await fetchImpl(address, {
      headers: { Accept: "application/json", ...headers, "A2A-Version": "1.0" },
      signal: reading.signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { status: response.status, card: undefined };
    }
    const card = recordOf(parseJson(await readAtMost(response, MAX_CARD_BYTES)));
    const isCard =
      typeof card?.["name"] === "string" &&
      (Array.isArray(card["supportedInterfaces"]) || typeof card["url"] === "string");
    return { status: 200, card: isCard ? card : undefined };
  } catch (error) {
    if (reading.signal.aborted) throw reading.signal.reason;
    if (!isConnectionError(error)) throw error;
    throw new AgentError("agent.unreachable", `${shown(address)} cannot be reached. Is the agent running?`, {
      cause: error,
      retryable: true,
    });
  } finally {
    stop();
    reading.release();
  }
}
