import type { AgentCard } from "@a2a-js/sdk";
import {
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type TransportFactory,
} from "@a2a-js/sdk/client";
import {
  AgentError,
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
import { agentAddress, shown } from "./agent-address.ts";
import { withAnswerLimit } from "./answer-limit.ts";
import { createAgentGate, type AgentGate } from "./agent-gate.ts";
import { callFetch } from "./call-fetch.ts";
import { authenticates, callHeaders, type CallHeaders, type GivenHeaders } from "./call-headers.ts";
import { resolveLimits, type CallLimits } from "./call-limits.ts";
import { createCalls } from "./calls.ts";
import type { AgentConnection } from "./connection.ts";
import { toAgentError } from "./errors.ts";
import { watchStream } from "./event-ids.ts";
import type { GrpcClient, GrpcTransportOptions } from "./grpc-client.ts";
import { fetchCard } from "./fetch-card.ts";
import { fetchOverview } from "./fetch-overview.ts";
import { withIdleLimit } from "./idle-limit.ts";
import { traceInterceptor } from "./trace-interceptor.ts";
import { withRefusals } from "./refusals.ts";
import { remoteConnection, type RemoteConnection } from "./remote-connection.ts";

export interface ConnectOptions {
  /** Aborts the connecting, not the calls made later. */
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
  /** Headers for the card and for every call, wherever the card says that calls go. */
  readonly headers?: GivenHeaders;
  /** Calls go to the origin of the address instead of the one the card names: for callers on the agent's side of its proxy. */
  readonly ignoreCardOrigin?: boolean;
  /** Which binding to prefer where the card offers both. */
  readonly binding?: "JSONRPC" | "HTTP+JSON";
  /** Calls agents whose cards offer gRPC alone: `grpcClient()` of `@troupe/a2a/grpc`. */
  readonly grpc?: GrpcClient;
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

/**
 * Connects to an agent by its address: reads the card, which is a question to it as any other and is
 * bounded and asked again as such, and picks a binding. Throws an `AgentError`: `agent.unreachable`,
 * `agent.timeout`, `agent.busy`, `agent.unauthenticated`, `agent.forbidden`, `agent.protocol` for what
 * is no card, `agent.config` for what is no address; an `InputError` for options that cannot be used.
 */
export async function connectAgent(url: string, options: ConnectOptions = {}): Promise<RemoteAgent> {
  const { fetch: fetchImpl = defaultFetch, signal = new AbortController().signal } = options;
  const { clock = systemClock, log = silentLog, random = systemRandom } = options;
  const headers = callHeaders(options.headers);
  const limits = resolveLimits(options.limits ?? {}, { ours: false });
  const gate = createAgentGate(limits, { clock });
  const where = `The agent at ${shown(agentAddress(url))}`;
  const calls = createCalls({
    gate,
    limits,
    headers: () => headers({ url, authenticates: false }),
    where,
    clock,
    random,
    log,
  });
  const asking = withRefusals(callFetch(fetchImpl, { breaker: gate.breaker, clock }), where);
  const question = { ms: limits.answerMs, late: "did not show its card", resendable: true };
  try {
    const call = await calls.open({ signal });
    try {
      const { card: served } = await call.request(question, (how) =>
        fetchCard(url, { fetchImpl: asking, headers: { ...how.serviceParameters }, signal: how.signal }),
      );
      const card = options.ignoreCardOrigin === true ? withOrigin(served, url) : served;
      return await connectByCard(card, url, { ...options, headers, gate });
    } catch (error) {
      throw toAgentError(error, where, call.signal);
    } finally {
      call.close();
    }
  } catch (error) {
    throw toAgentError(error, where, signal);
  }
}

/** The same where the card is there already, and so are the headers and the gate that calls go by. */
export async function connectByCard(
  card: AgentCard,
  url: string,
  options: Omit<ConnectOptions, "signal" | "headers"> & {
    readonly headers: CallHeaders;
    readonly gate: AgentGate;
  },
): Promise<RemoteAgent> {
  const {
    fetch: fetchImpl = defaultFetch,
    clock = systemClock,
    log = silentLog,
    newId = randomId,
    random = systemRandom,
    binding,
  } = options;
  const { headers, gate } = options;
  const limits = resolveLimits(options.limits ?? {}, { ours: speaksExtension(card) });
  const where = `Agent "${card.name}" at ${addressOf(card, url)}`;
  const limited = withIdleLimit(fetchImpl, clock, limits, where, watchStream);
  const asking = withRefusals(callFetch(limited, { breaker: gate.breaker, clock }), where);
  const transport = {
    fetchImpl: withAnswerLimit(asking, limits, where),
    legacyCompat: { enabled: true },
  };
  const overGrpc = await grpcFor(card, { ...options, url, where, clock, answerBytes: limits.answerBytes });
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory(transport),
      new RestTransportFactory(transport),
      ...(overGrpc === undefined ? [] : [overGrpc]),
    ],
    clientConfig: { interceptors: [traceInterceptor] },
    ...(binding === undefined ? {} : { preferredTransports: [binding] }),
  });
  const client = await factory.createFromAgentCard(card);
  const parts = { client, card, where, gate, limits, clock, random, newId, log };
  const call = { url, agent: card.name, authenticates: authenticates(card) };
  const named = (caller: Caller | undefined): ReturnType<CallHeaders> =>
    headers(caller === undefined ? call : { ...call, caller });
  return {
    ...remoteConnection({ ...parts, headers: named }),
    async overview(collectionId, { caller, signal }) {
      // Only Troupe agents have an overview.
      if (!speaksExtension(card)) return undefined;
      try {
        return await fetchOverview(url, collectionId, { fetchImpl, headers: await named(caller), signal });
      } catch (error) {
        log.debug("an agent gave no overview", { agent: card.name, error });
        return undefined;
      }
    },
    profile: profileOf(card),
    card,
    url,
  };
}

function withOrigin(card: AgentCard, url: string): AgentCard {
  const moved = (to: string): string => {
    const called = URL.parse(to);
    return called === null || !/^https?:$/.test(called.protocol)
      ? to
      : new URL(`${called.pathname}${called.search}`, url).href;
  };
  const supportedInterfaces = card.supportedInterfaces.map((one) => ({ ...one, url: moved(one.url) }));
  return { ...card, supportedInterfaces };
}

/** The transport for a card that offers gRPC and no binding over HTTP. Throws an `AgentError` without a client for it. */
async function grpcFor(
  { supportedInterfaces }: AgentCard,
  options: Omit<GrpcTransportOptions, "breaker"> & {
    readonly grpc?: GrpcClient;
    readonly gate: AgentGate;
  },
): Promise<TransportFactory | undefined> {
  const bindings = new Set(supportedInterfaces.map(({ protocolBinding }) => protocolBinding.toUpperCase()));
  if (!bindings.has("GRPC") || bindings.has("JSONRPC") || bindings.has("HTTP+JSON")) return undefined;
  const { grpc, gate, where } = options;
  if (grpc === undefined)
    throw new AgentError(
      "agent.config",
      `${where} can be called over gRPC only. Install @grpc/grpc-js and @bufbuild/protobuf, and pass grpcClient() of @troupe/a2a/grpc as grpc.`,
    );
  return grpc.transport({ ...options, breaker: gate.breaker });
}

/** Where calls go is the card's to say; a person has to know where that is when it is elsewhere. */
function addressOf({ supportedInterfaces }: AgentCard, url: string): string {
  // Addresses of gRPC are usually host and port instead of a URL.
  const [called] = supportedInterfaces
    .flatMap((one) => URL.parse(one.url) ?? [])
    .filter(({ protocol }) => /^https?:$/.test(protocol));
  if (called === undefined || called.origin === new URL(url).origin) return shown(url);
  return `${shown(called)}, as its card at ${shown(url)} has it,`;
}
