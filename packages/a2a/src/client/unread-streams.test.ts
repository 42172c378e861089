import type { StreamResponse } from "@a2a-js/sdk";
import type { Fetch } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { gate } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { grpcBinding, grpcClient } from "../grpc/index.ts";
import {
  answering,
  asking,
  heldAgent,
  plainClient,
  scriptedAgent,
  withServed,
  type ScriptedAgent,
} from "../testing/index.ts";
import { connectAgent, type ConnectOptions } from "./index.ts";

const signal = new AbortController().signal;
const limits = { streamsPerUser: 1 };

/** Shows of a card the interfaces of one binding. Fetches as the services do. */
const only =
  (binding: string): Fetch =>
  async (input, init) => {
    const response = await nodeFetch(input, init);
    if (!String(input instanceof Request ? input.url : input).endsWith("agent-card.json")) return response;
    const card = (await response.json()) as { supportedInterfaces: { protocolBinding: string }[] };
    const offered = card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === binding);
    return Response.json({ ...card, supportedInterfaces: offered });
  };

/** Says "begun", and asks once it is let. */
function agentThatAsksLater(): { readonly agent: ScriptedAgent; readonly goOn: () => void } {
  const working = gate();
  const agent = scriptedAgent(async function* () {
    const [start, delta, end] = answering(["begun"]);
    if (start && delta && end) yield* [start, delta, end];
    await working.opened;
    yield* asking();
  });
  return { agent, goOn: () => working.open() };
}

const CLIENTS: readonly (readonly [string, ConnectOptions])[] = [
  ["JSON-RPC", { fetch: only("JSONRPC") }],
  ["HTTP+JSON", { fetch: only("HTTP+JSON") }],
  ["gRPC", { fetch: only("GRPC"), grpc: grpcClient() }],
];

/** Subscribes as another client of the same caller, again and again until the caller's one stream is free. */
async function subscribedOnceFree(url: string, id: string): Promise<StreamResponse | undefined> {
  const other = await plainClient(url);
  for (;;) {
    const stream = other.resubscribeTask({ id, tenant: "" });
    try {
      return (await stream.next()).value ?? undefined;
    } catch (error) {
      if (!/streams of yours/.test(String(error))) throw error;
    } finally {
      await stream.return(undefined);
    }
  }
}

describe.each(CLIENTS)("our client over %s closes", (_name, options) => {
  it("the subscription to a task that comes to wait for a reply", async () => {
    const { agent, goOn } = agentThatAsksLater();
    await withServed({ agent, limits, grpc: grpcBinding() }, async ({ url }) => {
      const remote = await connectAgent(url, options);
      const { taskId } = await remote.send({ text: "go" }, { signal });
      const types: string[] = [];
      for await (const event of remote.join(taskId, { signal })) {
        if (event.type === "text-delta") goOn();
        types.push(event.type === "finish" ? event.outcome : event.type);
      }
      expect(types.at(-1)).toBe("input-required");
      expect(await subscribedOnceFree(url, taskId)).toMatchObject({ payload: { value: { id: taskId } } });
    });
  });

  it.each(["stream", "join"] as const)("a %s that its reader leaves while the task runs", async (how) => {
    const { agent } = heldAgent();
    await withServed({ agent, limits, grpc: grpcBinding() }, async ({ url }) => {
      const remote = await connectAgent(url, options);
      let taskId = how === "join" ? (await remote.send({ text: "go" }, { signal })).taskId : "";
      const events =
        how === "join"
          ? remote.join(taskId, { signal })
          : remote.stream({ text: "go" }, { signal, onTask: (id) => (taskId = id) });
      for await (const event of events) if (event.type === "text-delta") break;
      expect(await subscribedOnceFree(url, taskId)).toMatchObject({ payload: { value: { id: taskId } } });
    });
  });
});

it.each(["JSONRPC", "HTTP+JSON"])(
  "the subscription over %s is aborted, not read to its end",
  async (binding) => {
    const { agent, goOn } = agentThatAsksLater();
    const subscriptions: AbortSignal[] = [];
    const underlying = only(binding);
    const watched: Fetch = (input, init) => {
      const isSubscription = /:subscribe|"SubscribeToTask"/.test(
        JSON.stringify([input, init?.body]).replaceAll("\\", ""),
      );
      if (isSubscription && init?.signal) subscriptions.push(init.signal);
      return underlying(input, init);
    };
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url, { fetch: watched });
      const { taskId } = await remote.send({ text: "go" }, { signal });
      for await (const event of remote.join(taskId, { signal })) if (event.type === "text-delta") goOn();
      expect(subscriptions.map(({ aborted }) => aborted)).toEqual([true]);
    });
  },
);
