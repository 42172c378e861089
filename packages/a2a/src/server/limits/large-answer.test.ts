import { once } from "node:events";
import { connect } from "node:net";

import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import { doneTask } from "../../testing/task-store/fixtures.ts";
import { scriptedAgent, withServed } from "../../testing/index.ts";

/** More than the buffers of a connection on one machine take. */
const CHARS = 24_000_000;

interface Way {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const byVersion = (version: string, method: string): Way => ({
  path: "/a2a/jsonrpc",
  headers: { "A2A-Version": version, "Content-Type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { id: "large" } }),
});

const rpc = byVersion("1.0", "GetTask");
const rest: Way = { path: "/a2a/rest/tasks/large", headers: { "A2A-Version": "1.0" } };
const rpcError = { error: { code: -32000 } };
const ways: readonly (readonly [string, Way, object])[] = [
  ["JSON-RPC", rpc, rpcError],
  ["JSON-RPC of 0.3", byVersion("0.3", "tasks/get"), rpcError],
  ["REST", rest, { error: { code: 429, status: "RESOURCE_EXHAUSTED", details: [{ reason: "TOO_MANY" }] } }],
  ["REST of 0.3", { path: "/a2a/rest/v1/tasks/large", headers: { "A2A-Version": "0.3" } }, { code: -32000 }],
];

const ask = (url: string, { path, headers, body }: Way, who: string): Promise<Response> =>
  fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, Authorization: who },
    ...(body === undefined ? {} : { body }),
  });

/** Asks, and takes nothing more once the answer has begun. */
async function askAndStall(url: string, { path, headers, body = "" }: Way, who: string) {
  const { port, hostname, host } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  const whole = Promise.withResolvers<void>();
  let bytes = 0;
  socket.on("data", (chunk) => {
    if (bytes === 0) socket.pause();
    bytes += chunk.length;
    if (bytes > CHARS) whole.resolve();
  });
  const given = { ...headers, Host: host, Authorization: who, "Content-Length": String(body.length) };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${body === "" ? "GET" : "POST"} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  await once(socket, "pause");
  return {
    socket,
    /** Takes the rest. */
    async rest(): Promise<void> {
      socket.resume();
      await whole.promise;
    },
    bytes: () => bytes,
  };
}

async function served() {
  const clock = virtualClock();
  const store = createMemoryTaskStore({ clock, maxBytes: 1e9 });
  const large = doneTask("large", { text: "x".repeat(CHARS) });
  for (const who of ["ann", "bob"]) await store.claim(who, "m", large, { version: 0 });
  return {
    clock,
    store,
    agent: scriptedAgent(() => []),
    authenticate: ({ authorization }: { readonly [name: string]: unknown }) =>
      Promise.resolve({ id: String(authorization), scopes: ["*"] }),
    // 32 of which have room for one such answer, and not for a second.
    limits: { bodyBytes: 1024 * 1024 },
  };
}

it("takes a large answer from its caller's share until it is over, on every binding", async () => {
  await withServed(await served(), async ({ url }) => {
    const stalled = await askAndStall(url, rpc, "ann");
    for (const [name, way, refused] of ways) {
      const second = await ask(url, way, "ann");
      expect([name, second.status, second.headers.get("Retry-After")]).toEqual([name, 429, "1"]);
      expect(await second.json()).toMatchObject(refused);
    }
    const others = await ask(url, rest, "bob");
    expect([others.status, (await others.text()).length > CHARS]).toEqual([200, true]);
    await stalled.rest();
    await expect.poll(async () => (await ask(url, rest, "ann")).status).toBe(200);
    stalled.socket.destroy();
  });
});

it("cuts off who does not take a large answer, and nobody who has", async () => {
  const options = await served();
  await withServed(options, async ({ url }) => {
    const stalled = await askAndStall(url, rpc, "ann");
    const whole = await askAndStall(url, rpc, "bob");
    await whole.rest();
    await options.clock.advance(60_000 + (1_000 * CHARS) / 65_536 + 1_000);
    stalled.socket.resume();
    await once(stalled.socket, "close");
    expect(stalled.bytes()).toBeLessThan(CHARS);
    const { path, headers } = rest;
    const lines = Object.entries({ ...headers, Host: new URL(url).host, Authorization: "bob" });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    whole.socket.write(`GET ${path}?historyLength=0 HTTP/1.1\r\n${head}\r\n`);
    const [again] = (await once(whole.socket, "data")) as [Buffer];
    expect(again.toString("latin1", 0, 15)).toBe("HTTP/1.1 200 OK");
    whole.socket.destroy();
  });
});
