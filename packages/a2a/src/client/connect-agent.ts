import type { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import { randomId, silentLog, systemClock, type Fetch, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { defaultFetch } from "../adapters/default-fetch.ts";
import { profileOf } from "../wire/card.ts";
import { authenticates, type CallHeaders } from "./call-headers.ts";
import type { AgentConnection } from "./connection.ts";
import { toAgentError } from "./errors.ts";
import { StreamPlaces } from "./event-ids.ts";
import { fetchCard } from "./fetch-card.ts";
import { withIdleLimit } from "./idle-limit.ts";
import { withRefusals } from "./refusals.ts";
import { remoteConnection, type RemoteConnection } from "./remote-connection.ts";

export interface ConnectOptions {
  /** Aborts the connecting, not the calls made later. */
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
  /** Headers for every call and for the card. */
  readonly headers?: CallHeaders;
  /** Which binding to prefer where the card offers both. */
  readonly binding?: "JSONRPC" | "HTTP+JSON";
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly log?: Log;
}

/** A connection to a remote agent, with the card it was made from. */
export interface RemoteAgent extends AgentConnection, RemoteConnection {
  readonly card: AgentCard;
  readonly url: string;
}

const NO_HEADERS: CallHeaders = () => ({});
/** Three heartbeats of our servers. */
const IDLE_MS = 45_000;

/**
 * Connects to an agent by its address: reads the card and picks a binding. Throws an `AgentError`:
 * `agent.unreachable`, `agent.protocol` for what is no card, `agent.config` for what is no address.
 */
export async function connectAgent(url: string, options: ConnectOptions = {}): Promise<RemoteAgent> {
  const {
    fetch: fetchImpl = defaultFetch,
    signal = new AbortController().signal,
    clock = systemClock,
    binding,
    headers = NO_HEADERS,
  } = options;
  const where = `The agent at ${url}`;
  try {
    const card = await fetchCard(url, {
      fetchImpl,
      headers: await headers({ url, authenticates: false }),
      signal,
    });
    const place = `Agent "${card.name}" at ${addressOf(card, url)}`;
    const places = new StreamPlaces();
    const limited = withIdleLimit(fetchImpl, clock, IDLE_MS, (call) => places.watch(call));
    const transport = {
      fetchImpl: withRefusals(limited, place),
      legacyCompat: { enabled: true },
    };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory(transport), new RestTransportFactory(transport)],
      ...(binding === undefined ? {} : { preferredTransports: [binding] }),
    });
    const client = await factory.createFromAgentCard(card);
    const connection = remoteConnection({
      client,
      card,
      where: place,
      places,
      clock,
      headers: (caller) =>
        headers({
          url,
          agent: card.name,
          authenticates: authenticates(card),
          ...(caller === undefined ? {} : { caller }),
        }),
      newId: options.newId ?? randomId,
      log: options.log ?? silentLog,
    });
    return { ...connection, profile: profileOf(card), card, url };
  } catch (error) {
    throw toAgentError(error, where, signal);
  }
}

/** Where calls go is the card's to say; a person has to know where that is when it is elsewhere. */
function addressOf({ supportedInterfaces }: AgentCard, url: string): string {
  const [called] = supportedInterfaces.flatMap((one) => URL.parse(one.url) ?? []);
  if (called === undefined || called.origin === URL.parse(url)?.origin) return url;
  return `${called.origin}${called.pathname}, as its card at ${url} has it,`;
}
