import type { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import {
  randomId,
  silentLog,
  systemClock,
  systemRandom,
  type Caller,
  type Fetch,
  type Log,
} from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { defaultFetch } from "../adapters/default-fetch.ts";
import { profileOf, speaksExtension } from "../wire/card.ts";
import { createAgentGate, type AgentGate } from "./agent-gate.ts";
import { callFetch } from "./call-fetch.ts";
import { authenticates, type CallHeaders } from "./call-headers.ts";
import { resolveLimits, type CallLimits } from "./call-limits.ts";
import type { AgentConnection } from "./connection.ts";
import { toAgentError } from "./errors.ts";
import { StreamPlaces } from "./event-ids.ts";
import { fetchCard } from "./fetch-card.ts";
import { withIdleLimit } from "./idle-limit.ts";
import { traceInterceptor } from "./trace-interceptor.ts";
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
  /** Deadlines, attempts, calls at the same time. */
  readonly limits?: CallLimits;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number;
}

/** A connection to a remote agent, with the card it was made from. */
export interface RemoteAgent extends AgentConnection, RemoteConnection {
  readonly card: AgentCard;
  readonly url: string;
}

const NO_HEADERS: CallHeaders = () => ({});

/**
 * Connects to an agent by its address: reads the card and picks a binding. Throws an `AgentError`:
 * `agent.unreachable`, `agent.protocol` for what is no card, `agent.config` for what is no address.
 */
export async function connectAgent(url: string, options: ConnectOptions = {}): Promise<RemoteAgent> {
  const { fetch: fetchImpl = defaultFetch, signal = new AbortController().signal, headers } = options;
  try {
    const { card } = await fetchCard(url, {
      fetchImpl,
      headers: (await headers?.({ url, authenticates: false })) ?? {},
      signal,
    });
    return await connectByCard(card, url, options);
  } catch (error) {
    throw toAgentError(error, `The agent at ${url}`, signal);
  }
}

/** The same where the card is there already. `gate` is given where the agent has one from before. */
export async function connectByCard(
  card: AgentCard,
  url: string,
  options: Omit<ConnectOptions, "signal"> & { readonly gate?: AgentGate },
): Promise<RemoteAgent> {
  const {
    fetch: fetchImpl = defaultFetch,
    clock = systemClock,
    log = silentLog,
    newId = randomId,
    random = systemRandom,
    headers = NO_HEADERS,
    binding,
  } = options;
  const { gate = createAgentGate(options.limits ?? {}, { clock }) } = options;
  const limits = resolveLimits(options.limits ?? {}, { ours: speaksExtension(card) });
  const where = `Agent "${card.name}" at ${addressOf(card, url)}`;
  const places = new StreamPlaces();
  const limited = withIdleLimit(fetchImpl, clock, limits, (call) => places.watch(call));
  const transport = {
    fetchImpl: withRefusals(callFetch(limited, { breaker: gate.breaker, clock }), where),
    legacyCompat: { enabled: true },
  };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(transport), new RestTransportFactory(transport)],
    clientConfig: { interceptors: [traceInterceptor] },
    ...(binding === undefined ? {} : { preferredTransports: [binding] }),
  });
  const client = await factory.createFromAgentCard(card);
  const parts = { client, card, where, places, gate, limits, clock, random, newId, log };
  const call = { url, agent: card.name, authenticates: authenticates(card) };
  const named = (caller: Caller | undefined): ReturnType<CallHeaders> =>
    headers(caller === undefined ? call : { ...call, caller });
  return { ...remoteConnection({ ...parts, headers: named }), profile: profileOf(card), card, url };
}

/** Where calls go is the card's to say; a person has to know where that is when it is elsewhere. */
function addressOf({ supportedInterfaces }: AgentCard, url: string): string {
  const [called] = supportedInterfaces.flatMap((one) => URL.parse(one.url) ?? []);
  if (called === undefined || called.origin === URL.parse(url)?.origin) return url;
  return `${called.origin}${called.pathname}, as its card at ${url} has it,`;
}
