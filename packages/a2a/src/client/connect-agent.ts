import type { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import { silentLog, systemClock, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { defaultFetch, type Fetch } from "../adapters/default-fetch.ts";
import { randomId } from "../adapters/random-id.ts";
import { profileOf } from "../wire/card.ts";
import type { AgentConnection } from "./connection.ts";
import { toAgentError } from "./errors.ts";
import { fetchCard } from "./fetch-card.ts";
import { remoteConnection } from "./remote-connection.ts";

export interface ConnectOptions {
  /** Aborts the connecting, not the calls made later. */
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
  /** Headers for every call and for the card, asked anew each time: traceparent, Authorization. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Which binding to prefer where the card offers both. */
  readonly binding?: "JSONRPC" | "HTTP+JSON";
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly log?: Log;
}

/** A connection to a remote agent, with the card it was made from. */
export interface RemoteAgent extends AgentConnection {
  readonly card: AgentCard;
  readonly url: string;
}

/**
 * Connects to an agent by its address: reads the card and picks a binding. Throws an `AgentError`:
 * `agent.unreachable`, `agent.protocol` for what is no card, `agent.config` for what is no address.
 */
export async function connectAgent(url: string, options: ConnectOptions = {}): Promise<RemoteAgent> {
  const {
    fetch: fetchImpl = defaultFetch,
    signal = new AbortController().signal,
    binding,
    headers = () => ({}),
  } = options;
  const where = `The agent at ${url}`;
  try {
    const card = await fetchCard(url, { fetchImpl, headers: headers(), signal });
    const legacyCompat = { enabled: true };
    const factory = new ClientFactory({
      transports: [
        new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
        new RestTransportFactory({ fetchImpl, legacyCompat }),
      ],
      ...(binding === undefined ? {} : { preferredTransports: [binding] }),
    });
    const client = await factory.createFromAgentCard(card);
    const connection = remoteConnection({
      client,
      card,
      where: `Agent "${card.name}" at ${url}`,
      clock: options.clock ?? systemClock,
      headers,
      newId: options.newId ?? randomId,
      log: options.log ?? silentLog,
    });
    return { ...connection, profile: profileOf(card), card, url };
  } catch (error) {
    throw toAgentError(error, where, signal);
  }
}
