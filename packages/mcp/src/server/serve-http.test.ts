import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";

import { silentLog } from "@troupe/core";
import { memoryArtifactStore, virtualClock } from "@troupe/core/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";

import { sampleTools } from "../testing/sample-tools.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import { serveHttp, type HttpOptions } from "./serve-http.ts";

async function serving(options: Partial<HttpOptions> = {}) {
  const artifacts = memoryArtifactStore();
  const { tools, seen } = sampleTools(artifacts);
  const clock = virtualClock();
  let ids = 0;
  const newId = (): string => `id-${++ids}`;
  const server = await serveHttp({
    create: () =>
      createMcpServer({ name: "sample", version: "1", tools, artifacts, log: silentLog, clock, newId }),
    port: 0,
    clock,
    newId,
    ...options,
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  return { server, seen, clock };
}

async function clientOf(url: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

/** A plain request, with headers that `fetch` would not let us set. */
function raw(url: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const outgoing = request(url, { method: body === undefined ? "GET" : "POST", headers }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    },
  );
}

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

describe("serving over Streamable HTTP", () => {
  it("serves the SDK's client, two calls at once on one session", async () => {
    const { server } = await serving();
    const { client } = await clientOf(server.url);
    const results = await Promise.all(
      ["a", "b"].map((text) => client.callTool({ name: "echo", arguments: { text } })),
    );
    expect(results.map((result) => result.content)).toEqual([
      [{ type: "text", text: "a" }],
      [{ type: "text", text: "b" }],
    ]);
  });

  it("hands a cancel to the running tool", async () => {
    const { server, seen } = await serving();
    const { client } = await clientOf(server.url);
    const controller = new AbortController();
    const call = client.callTool({ name: "wait", arguments: {} }, undefined, { signal: controller.signal });
    const settled = call.catch((error: unknown) => error);
    await seen.entered;
    controller.abort();
    await seen.aborted;
    expect(await settled).toBeInstanceOf(Error);
  });

  it("closes the response to a cancelled call, and aborts its tool", async () => {
    const { server, seen } = await serving();
    const opened = await raw(server.url, json, initialize);
    const headers = { ...json, "mcp-session-id": String(opened.headers["mcp-session-id"]) };
    const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait", arguments: {} } };
    const answer = raw(server.url, headers, JSON.stringify(call));
    await seen.entered;
    const notice = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    expect(await raw(server.url, headers, JSON.stringify(notice))).toMatchObject({ status: 202 });
    await seen.aborted;
    expect(await answer).toMatchObject({ status: 200, body: "" });
  });

  it("keeps the response to a batch open until all of its calls are cancelled", async () => {
    const { server, seen } = await serving();
    const opened = await raw(server.url, json, initialize);
    const headers = { ...json, "mcp-session-id": String(opened.headers["mcp-session-id"]) };
    const calls = [7, "7"].map((id) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "wait", arguments: {} },
    }));
    let ended = false;
    const answer = raw(server.url, headers, JSON.stringify(calls)).finally(() => (ended = true));
    await seen.entered;
    const cancel = (requestId: string | number) =>
      raw(
        server.url,
        headers,
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }),
      );
    await cancel(7);
    await seen.aborted;
    expect(ended).toBe(false);
    await cancel("7");
    expect(await answer).toMatchObject({ status: 200 });
  });

  it("serves clients of the HTTP+SSE transport where that is switched on, and aborts calls of closed streams", async () => {
    const { server, seen, clock } = await serving({ legacySse: true, maxSessions: 1 });
    const base = `http://127.0.0.1:${server.port}`;
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new SSEClientTransport(new URL(`${base}/sse`)));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    const echo = await client.callTool({ name: "echo", arguments: { text: "a" } });
    expect(echo.content).toEqual([{ type: "text", text: "a" }]);
    expect(await raw(`${base}/sse`, {})).toMatchObject({ status: 503 });
    expect(await raw(`${base}/sse`, json, initialize)).toMatchObject({ status: 405 });
    expect(await raw(`${base}/messages`, {})).toMatchObject({ status: 405 });
    expect(await raw(`${base}/messages?sessionId=x`, json, initialize)).toMatchObject({ status: 404 });
    await clock.advance(15_000);
    const call = client.callTool({ name: "wait", arguments: {} }).catch((error: unknown) => error);
    await seen.entered;
    await client.close();
    await seen.aborted;
    await call;
  });

  it("keeps web pages and strangers off the HTTP+SSE transport, and has none unless it is switched on", async () => {
    const { server } = await serving({ legacySse: true, bodyLimit: 10, auth: (token) => token === "good" });
    const good = { authorization: "Bearer good" };
    for (const path of ["/sse", "/messages?sessionId=x"]) {
      const url = `http://127.0.0.1:${server.port}${path}`;
      for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }])
        expect(await raw(url, { ...headers, ...good })).toMatchObject({ status: 403 });
      expect(await raw(url, {})).toMatchObject({ status: 401 });
      expect(await raw(url, { ...json, ...good }, initialize)).toMatchObject({ status: 413 });
    }
    const { server: plain } = await serving();
    expect(await raw(`http://127.0.0.1:${plain.port}/sse`, {})).toMatchObject({ status: 404 });
  });

  it("keeps sessions apart and answers 404 for one it does not know", async () => {
    const { server } = await serving();
    const one = await clientOf(server.url);
    const two = await clientOf(server.url);
    expect(one.transport.sessionId).not.toBe(two.transport.sessionId);
    const call = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(await raw(server.url, { ...json, "mcp-session-id": "gone" }, call)).toMatchObject({ status: 404 });
    expect(await raw(server.url, json, call)).toMatchObject({ status: 400 });
  });

  it("forgets a session that nobody uses, and not one that has a request open", async () => {
    const { server, clock } = await serving({ sessionIdleMs: 1_000 });
    const { client } = await clientOf(server.url);
    const plain = await raw(server.url, json, initialize);
    const session = String(plain.headers["mcp-session-id"]);
    const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    await clock.advance(999);
    expect(await raw(server.url, { ...json, "mcp-session-id": session }, list)).toMatchObject({
      status: 200,
    });
    await clock.advance(1_000);
    expect(await raw(server.url, { ...json, "mcp-session-id": session }, list)).toMatchObject({
      status: 404,
    });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  it("ends the least recently used session when there are too many", async () => {
    const { server } = await serving({ maxSessions: 2 });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(String((await raw(server.url, json, initialize)).headers["mcp-session-id"]));
    }
    const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    const statuses = await Promise.all(
      ids.map(async (id) => (await raw(server.url, { ...json, "mcp-session-id": id }, list)).status),
    );
    expect(statuses).toEqual([404, 200, 200]);
  });

  it("answers 503 when every session is at work", async () => {
    const { server, seen } = await serving({ maxSessions: 1 });
    const { client } = await clientOf(server.url);
    const call = client.callTool({ name: "wait", arguments: {} }).catch(() => undefined);
    await seen.entered;
    expect(await raw(server.url, json, initialize)).toMatchObject({ status: 503 });
    await server.close({ graceMs: 0 });
    await client.close();
    await call;
  });

  it.each([
    ["a rebound name", { host: "evil.example:80" }, 403],
    ["a web page", { origin: "https://evil.example" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
    ["a page of this machine", { origin: "http://localhost:5173" }, 200],
  ])("%s", async (_name, headers, status) => {
    const { server } = await serving();
    expect(await raw(server.url, { ...json, ...headers }, initialize)).toMatchObject({ status });
  });

  it.each(["/livez", "/readyz", "/other", "/mcp"])("keeps web pages off %s", async (path) => {
    const { server } = await serving({ auth: () => true });
    const url = `http://127.0.0.1:${server.port}${path}`;
    for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }])
      expect(await raw(url, headers)).toMatchObject({ status: 403 });
  });

  it("asks for the bearer token when auth is set", async () => {
    const { server } = await serving({ auth: (token) => token === "good" });
    expect(await raw(server.url, json, initialize)).toMatchObject({ status: 401 });
    expect(await raw(server.url, { ...json, authorization: "Bearer bad" }, initialize)).toMatchObject({
      status: 401,
    });
    // Whoever probes the process has none.
    expect(await raw(`http://127.0.0.1:${server.port}/livez`, {})).toMatchObject({ status: 200 });
    const { client } = await clientOf(server.url, { authorization: "Bearer good" });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  it("refuses a host that others can reach, without auth", async () => {
    await expect(serving({ host: "0.0.0.0" })).rejects.toThrow(/no auth is set/);
  });

  it("says which port is taken", async () => {
    const { server } = await serving();
    await expect(serving({ port: server.port })).rejects.toThrow(`Port ${server.port} on 127.0.0.1 is taken`);
  });

  it.each([
    ["not JSON", "{", 400],
    ["too much", JSON.stringify({ pad: "x".repeat(2_000) }), 413],
  ])("refuses a body that is %s", async (_name, body, status) => {
    const { server } = await serving({ bodyLimit: 1_000 });
    expect(await raw(server.url, json, body)).toMatchObject({ status });
    expect(await raw(server.url, { ...json, "transfer-encoding": "chunked" }, body)).toMatchObject({
      status,
    });
  });

  it("tells whether it lives and what keeps it from being ready", async () => {
    const reasons: string[] = ["index is being built"];
    const { server } = await serving({ ready: () => reasons });
    const base = `http://127.0.0.1:${server.port}`;
    expect(await raw(`${base}/livez`, {})).toMatchObject({ status: 200 });
    expect(await raw(`${base}/readyz`, {})).toMatchObject({
      status: 503,
      body: expect.stringContaining("index"),
    });
    reasons.pop();
    expect(await raw(`${base}/readyz`, {})).toMatchObject({ status: 200 });
    expect(await raw(`${base}/other`, {})).toMatchObject({
      status: 404,
      body: expect.stringContaining("/mcp"),
    });
  });

  it("tells a stranger that it is not ready, and those with a token why", async () => {
    const ready = () => ["the index at 10.0.0.7 is being built"];
    const { server } = await serving({ ready, auth: (token) => token === "good" });
    const readiness = async (token: string) => {
      const { status, body } = await raw(`http://127.0.0.1:${server.port}/readyz`, {
        authorization: `Bearer ${token}`,
      });
      return { status, body: JSON.parse(body) as unknown };
    };
    const told = (reason: string) => ({ status: 503, body: { status: "not ready", reasons: [reason] } });
    expect(await readiness("bad")).toEqual(told("not ready"));
    expect(await readiness("good")).toEqual(told("the index at 10.0.0.7 is being built"));
  });

  it.each([
    ["nothing", ""],
    ["half a head", "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx:"],
    ["half a body", "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\n{"],
  ])("closes a connection that sends %s, and not one it streams to", async (_what, sent) => {
    const { server, seen } = await serving({ connectionLimits: { headersMs: 1_000, requestMs: 1_000 } });
    const { client } = await clientOf(server.url);
    let ended = false;
    const call = client.callTool({ name: "wait", arguments: {} }).catch(() => undefined);
    void call.then(() => (ended = true));
    await seen.entered;
    const socket = connect(server.port, "127.0.0.1");
    socket.write(sent);
    socket.resume();
    await once(socket, "close");
    // It began before.
    expect(ended).toBe(false);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
    await server.close({ graceMs: 0 });
    await call;
  });

  it("takes no more connections than it may", async () => {
    const { server } = await serving({ connectionLimits: { connections: 1 } });
    const first = connect(server.port, "127.0.0.1");
    await once(first, "connect");
    const second = connect(server.port, "127.0.0.1").resume();
    await once(second, "close");
    expect(first.destroyed).toBe(false);
    first.destroy();
  });

  it("lets a running call end before it closes, and cuts it when the grace is over", async () => {
    const { server, seen, clock } = await serving();
    const { client } = await clientOf(server.url);
    const call = client.callTool({ name: "wait", arguments: {} }).catch(() => undefined);
    await seen.entered;
    const closed = server.close({ graceMs: 1_000 });
    let over = false;
    void closed.then(() => (over = true));
    await clock.advance(999);
    expect(over).toBe(false);
    await clock.advance(1);
    await seen.aborted;
    await closed;
    await client.close();
    await call;
  });
});
