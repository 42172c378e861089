import { AgentError, randomId, systemClock, type Fetch } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { defaultFetch } from "../adapters/default-fetch.ts";
import { shown } from "../client/agent-address.ts";
import type { Binding, CaptureRecord } from "./capture-record.ts";
import { exchange, type Ending, type Exchange } from "./exchange.ts";
import { findEndpoint } from "./find-endpoint.ts";

export interface CaptureOptions {
  /** Ends the capture; what came is kept. */
  readonly signal: AbortSignal;
  /** Sent with every request, the one for the card included. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `headers` are, but to the origin of the address that was given and to no other. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** Documents and data to work on, for agents of Troupe. */
  readonly collection?: string;
  /** Which protocol to take where the card offers both; needed where there is no card. */
  readonly protocol?: "1.0" | "0.3";
  readonly binding?: Binding;
  /** Of an event at most so many bytes are kept; 8 MiB by default. */
  readonly maxEventBytes?: number;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  readonly newId?: () => string;
}

const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/**
 * Asks any A2A agent one question and yields what it answers as it arrives: a header, the events, and
 * how it ended. Nothing is kept here, so a long stream costs no memory. Throws an `AgentError` before
 * the header (`agent.config`, `agent.unreachable`, `agent.timeout`, `agent.protocol`), and the signal's reason; after
 * the header it does not throw, and the last record says what went wrong.
 */
export async function* captureAgent(
  url: string,
  question: string,
  options: CaptureOptions,
): AsyncGenerator<CaptureRecord, void, undefined> {
  const {
    signal,
    clock = systemClock,
    fetch: fetchImpl = defaultFetch,
    newId = randomId,
    maxEventBytes = MAX_EVENT_BYTES,
    secretHeaders = {},
    collection,
    protocol,
    binding,
  } = options;
  const headers = { ...options.headers, ...secretHeaders };
  const secret = Object.keys(secretHeaders).length > 0;
  // What is redirected may go to anyone.
  const guarded: Fetch = secret ? (to, init) => fetchImpl(to, { ...init, redirect: "manual" }) : fetchImpl;
  const endpoint = await findEndpoint(url, {
    fetchImpl: guarded,
    headers,
    signal,
    clock,
    wanted: {
      ...(protocol === undefined ? {} : { protocol }),
      ...(binding === undefined ? {} : { binding }),
    },
  });
  if (secret && new URL(endpoint.url).origin !== new URL(url).origin)
    throw new AgentError(
      "agent.config",
      `The card at ${shown(url)} names the endpoint ${shown(endpoint.url)}, which is of another origin, so it is not given the credentials. Name that endpoint yourself, with the protocol it speaks.`,
    );
  const startedAt = clock.now();
  const run: Exchange = {
    endpoint,
    question: {
      messageId: newId(),
      text: question,
      ...(collection === undefined ? {} : { metadata: { collection } }),
    },
    maxEventBytes,
    clock,
    signal,
    now: () => clock.now() - startedAt,
    post: (call) =>
      guarded(call.url, {
        method: call.method,
        headers: { ...call.headers, ...headers },
        ...(call.body === undefined ? {} : { body: call.body }),
        signal,
      }),
  };
  yield {
    v: 1,
    kind: "a2a-capture",
    url: shown(url),
    endpoint: shown(endpoint.url),
    protocol: endpoint.protocol,
    binding: endpoint.binding,
    agent: endpoint.agent,
    question,
    startedAt: new Date(startedAt).toISOString(),
  };
  yield* ended(run);
}

/** The events, and the end: whatever happens in between is told by it. */
async function* ended(run: Exchange): AsyncGenerator<CaptureRecord, void, undefined> {
  let ending: Ending;
  try {
    ending = yield* exchange(run);
  } catch (error) {
    ending = run.signal.aborted ? { end: "interrupted" } : { end: "broken", error: inWords(error) };
  }
  yield { t: run.now(), ...ending };
}

/** What the platform says of a connection, its code included, which is often all that is telling. */
function inWords(error: unknown): string {
  if (!(error instanceof Error)) return "the connection broke";
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause && typeof cause.code === "string" ? `${cause.code}: ` : "";
  return `${error.message} (${code}${cause.message})`;
}
