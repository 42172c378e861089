import { AgentCard } from "@a2a-js/sdk";
import { DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { A2AService, grpcService, UserBuilder } from "@a2a-js/sdk/server/grpc";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { Fetch } from "@troupe/core";
import { serveHttp } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { connectAgent, type ConnectOptions } from "../client/index.ts";
import { createRegistry } from "../registry/create-registry.ts";
import {
  answering,
  artifactExecutor,
  asking,
  collect,
  heldAgent,
  scriptedAgent,
  withServed,
} from "../testing/index.ts";
import { grpcBinding, grpcClient } from "./index.ts";

const signal = new AbortController().signal;

/** Shows of every card the gRPC interface alone, at `address` when given. */
const grpcOnly =
  (address?: string): Fetch =>
  async (input, init) => {
    const card = (await (await fetch(input, init)).json()) as {
      supportedInterfaces: { protocolBinding: string }[];
    };
    const offered = card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === "GRPC");
    const supportedInterfaces = offered.map((one) => ({
      ...one,
      ...(address === undefined ? {} : { url: address }),
    }));
    return Response.json({ ...card, supportedInterfaces });
  };

const connect = (url: string, more: ConnectOptions = {}) =>
  connectAgent(url, { fetch: grpcOnly(), grpc: grpcClient(), ...more });

const echo = scriptedAgent(({ text, reply }) =>
  text === "ask" && reply === undefined ? asking("What else?") : answering(["You said: ", text]),
);

describe("our client at an agent that offers gRPC alone", () => {
  it("streams, sends and joins, and answers what is asked", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ url }) => {
      const remote = await connect(url);
      const events = await collect(remote.stream({ text: "Hello" }, { signal }));
      expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "You said: Hello" } });
      const { taskId } = await remote.send({ text: "ask" }, { signal });
      expect((await collect(remote.join(taskId, { signal }))).at(-1)).toMatchObject({
        outcome: "input-required",
      });
      const more = await collect(remote.stream({ text: "More", taskId }, { signal }));
      expect(more.at(-1)).toMatchObject({ response: { content: "You said: More" } });
    });
  });

  it("cancels", async () => {
    await withServed({ agent: heldAgent().agent, grpc: grpcBinding() }, async ({ url }) => {
      const remote = await connect(url);
      const { taskId } = await remote.send({ text: "Work" }, { signal });
      const joined = collect(remote.join(taskId, { signal }));
      await remote.cancel(taskId);
      expect((await joined).at(-1)).toMatchObject({ outcome: "canceled" });
    });
  });

  it("shows its credentials, and says so where they are refused", async () => {
    const authenticate = ({ authorization }: { readonly authorization?: unknown }) =>
      Promise.resolve(authorization === "Bearer key" ? { id: "ann", scopes: ["*"] } : undefined);
    await withServed({ agent: echo, grpc: grpcBinding(), authenticate }, async ({ url }) => {
      const known = await connect(url, { headers: { Authorization: "Bearer key" } });
      await expect(known.send({ text: "x" }, { signal })).resolves.toHaveProperty("taskId");
      const unknown = await connect(url, { headers: { Authorization: "Bearer other" } });
      await expect(unknown.send({ text: "x" }, { signal })).rejects.toMatchObject({
        code: "agent.unauthenticated",
      });
    });
  });

  it("says that it is busy where a limit was met, and for how long", async () => {
    const { agent, begun } = heldAgent();
    await withServed({ agent, grpc: grpcBinding(), limits: { tasksPerUser: 1 } }, async ({ url }) => {
      const remote = await connect(url, { limits: { retries: 0 } });
      await remote.send({ text: "x" }, { signal });
      await begun;
      await expect(remote.send({ text: "y" }, { signal })).rejects.toMatchObject({
        code: "agent.busy",
        retryAfterMs: 1_000,
      });
    });
  });

  it("cannot be reached once it is gone", async () => {
    const remote = await withServed({ agent: echo, grpc: grpcBinding() }, ({ url }) => connect(url));
    await expect(remote.send({ text: "x" }, { signal: AbortSignal.timeout(60_000) })).rejects.toMatchObject({
      code: "agent.unreachable",
    });
  });

  it("needs a client for it, and says what to install", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ url }) => {
      await expect(connectAgent(url, { fetch: grpcOnly() })).rejects.toMatchObject({
        code: "agent.config",
        message: expect.stringContaining("Install @grpc/grpc-js and @bufbuild/protobuf") as unknown,
      });
    });
  });

  it("goes to no other host unless that is allowed, and to no address that is none", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ url, grpcUrl = "" }) => {
      const elsewhere = grpcUrl.replace("127.0.0.1", "localhost");
      await expect(connect(url, { fetch: grpcOnly(elsewhere) })).rejects.toMatchObject({
        code: "agent.config",
      });
      const anyHost = { fetch: grpcOnly(elsewhere), grpc: grpcClient({ anyHost: true }) };
      await expect((await connect(url, anyHost)).send({ text: "x" }, { signal })).resolves.toBeDefined();
      await expect(connect(url, { fetch: grpcOnly("ftp://127.0.0.1:1") })).rejects.toMatchObject({
        code: "agent.protocol",
      });
      const http = await connect(url, { fetch: grpcOnly(`http://${grpcUrl}`) });
      await expect(http.send({ text: "x" }, { signal })).resolves.toBeDefined();
    });
  });

  it("is called by the registry too", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ url }) => {
      const registry = createRegistry({ urls: [url], fetch: grpcOnly(), grpc: grpcClient() });
      try {
        await registry.started(signal);
        const remote = await registry.connection("scripted-agent");
        const events = await collect(remote.stream({ text: "Hello" }, { signal }));
        expect(events.at(-1)).toMatchObject({ outcome: "completed" });
      } finally {
        registry.close();
      }
    });
  });
});

it("calls an agent on the bare SDK over gRPC", async () => {
  const grpc = new Server();
  const port = await new Promise<number>((resolve, reject) => {
    grpc.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const card = AgentCard.fromJSON({
    name: "plain-agent",
    description: "Knows only the protocol.",
    version: "1",
    supportedInterfaces: [{ url: `127.0.0.1:${port}`, protocolBinding: "GRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "s", name: "S", description: "Does what it does.", tags: ["plain"] }],
  });
  const executor = artifactExecutor([{ artifactId: "a", text: "Plain answer" }]);
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  grpc.addService(A2AService, grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  const http = await serveHttp((_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(AgentCard.toJSON(card)));
  });
  try {
    const remote = await connectAgent(http.url, { grpc: grpcClient() });
    const events = await collect(remote.stream({ text: "Hello" }, { signal }));
    expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Plain answer" } });
  } finally {
    grpc.forceShutdown();
    http.close();
  }
});
