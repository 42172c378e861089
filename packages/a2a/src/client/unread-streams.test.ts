import type { StreamResponse } from "@a2a-js/sdk";
import type { Fetch } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { gate } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { grpcBinding, grpcClient } from "../grpc/index.ts";
import { answering, asking, heldAgent, plainClient, scriptedAgent, withServed } from "../testing/index.ts";
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
    const working = gate();
    const agent = scriptedAgent(async function* () {
      const [start, delta, end] = answering(["begun"]);
      if (start && delta && end) yield* [start, delta, end];
      await working.opened;
      yield* asking();
    });
    await withServed({ agent, limits, grpc: grpcBinding() }, async ({ url }) => {
      const remote = await connectAgent(url, options);
      const { taskId } = await remote.send({ text: "go" }, { signal });
      const types: string[] = [];
      for await (const event of remote.join(taskId, { signal })) {
        if (event.type === "text-delta") working.open();
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
