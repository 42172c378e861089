import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import type { Fetch } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { serveHttp } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { answering, collect, scriptedAgent, withServed } from "../testing/index.ts";
import { withAnswerLimit } from "./answer-limit.ts";
import { connectAgent, type RemoteAgent } from "./connect-agent.ts";

const { signal } = new AbortController();
const JSON_TYPE = { "Content-Type": "application/json" };
const PIECE = Buffer.alloc(64 * 1024, " ");
/** Where a reader without a bound would come to: far above any bound, and soon there. */
const MOST_PIECES = 2_000;

/** Writes until its reader leaves; resolves with the pieces written. */
async function endless(response: ServerResponse): Promise<number> {
  const gone = once(response, "close");
  for (let pieces = 0; pieces < MOST_PIECES; pieces++) {
    if (response.destroyed) return pieces;
    if (!response.write(PIECE)) await Promise.race([once(response, "drain"), gone]);
  }
  response.end();
  return MOST_PIECES;
}

/** An agent whose card is in order, and who answers every call like this. */
async function hostile(answer: (response: ServerResponse) => unknown, fetch: Fetch) {
  const { url, close } = await serveHttp((request, response) => {
    if (request.method === "POST") return answer(response);
    const supportedInterfaces = [
      { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ];
    const card = { name: "evil", version: "1", capabilities: { streaming: true }, supportedInterfaces };
    return response.writeHead(200, JSON_TYPE).end(JSON.stringify(card));
  });
  onTestFinished(close);
  return (binding: "JSONRPC" | "HTTP+JSON", limits = {}): Promise<RemoteAgent> =>
    connectAgent(url, { fetch, binding, limits });
}

const calls: readonly [string, (remote: RemoteAgent) => Promise<unknown>][] = [
  ["send", (remote) => remote.send({ text: "hi" }, { signal })],
  ["stream", (remote) => collect(remote.stream({ text: "hi" }, { signal }))],
  ["cancel", (remote) => remote.cancel("t")],
];
const fetches: readonly [string, Fetch][] = [
  ["Node's client", nodeFetch],
  ["the platform's fetch", fetch],
];

describe.each(fetches)("over %s, an answer", (_, fetchImpl) => {
  it.each([
    [200, "33,554,432"],
    [400, "1,048,576"],
    [500, "1,048,576"],
  ])("with %i that never ends is read so far, and its connection closed", async (status, bytes) => {
    const written = Promise.withResolvers<number>();
    const connect = await hostile((response) => {
      response.writeHead(status, JSON_TYPE);
      written.resolve(endless(response));
    }, fetchImpl);
    const remote = await connect("JSONRPC");
    await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
      code: "agent.protocol",
      retryable: false,
      message: expect.stringMatching(
        new RegExp(`^Agent "evil" at .* answered with more than ${bytes} bytes\\.$`),
      ) as unknown,
    });
    expect(await written.promise).toBeLessThan(MOST_PIECES);
  });

  it.each(
    (["JSONRPC", "HTTP+JSON"] as const).flatMap((binding) =>
      calls.flatMap(([name, call]) => [200, 400].map((status) => ({ binding, name, call, status }))),
    ),
  )("is bounded whatever was asked: $binding $name $status", async ({ binding, call, status }) => {
    const written = Promise.withResolvers<number>();
    const connect = await hostile((response) => {
      response.writeHead(status, JSON_TYPE);
      written.resolve(endless(response));
    }, fetchImpl);
    const told = call(await connect(binding, { answerBytes: 1_000 }));
    await expect(told).rejects.toMatchObject({
      code: "agent.protocol",
      message: expect.stringContaining("answered with more than 1,000 bytes") as unknown,
    });
    expect(await written.promise).toBeLessThan(MOST_PIECES);
  });

  it("that says it is larger is not read at all", async () => {
    const gone = Promise.withResolvers<unknown>();
    const connect = await hostile((response) => {
      response.once("close", gone.resolve).writeHead(200, { ...JSON_TYPE, "Content-Length": 1_001 });
      response.flushHeaders();
    }, fetchImpl);
    const remote = await connect("JSONRPC", { answerBytes: 1_000 });
    await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({ code: "agent.protocol" });
    await gone.promise;
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("packed with %s is measured as it is unpacked", async (encoding, pack) => {
    const packed = pack(Buffer.alloc(2_000_000, " "));
    expect(packed.length).toBeLessThan(10_000);
    const headers = { ...JSON_TYPE, "Content-Encoding": encoding, "Content-Length": packed.length };
    const connect = await hostile((response) => response.writeHead(200, headers).end(packed), fetchImpl);
    const remote = await connect("JSONRPC", { answerBytes: 100_000 });
    await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
      code: "agent.protocol",
      message: expect.stringContaining("more than 100,000 bytes") as unknown,
    });
  });

  it.each([
    ["gzip", "{} as it is"],
    ["br", "{} as it is"],
    ["gzip", gzipSync("{}").fill(0xff, 10)],
  ])("whose packing (%s) is broken is told as such, and not asked for again", async (encoding, body) => {
    let asked = 0;
    const connect = await hostile((response) => {
      asked++;
      response.writeHead(200, { ...JSON_TYPE, "Content-Encoding": encoding }).end(body);
    }, fetchImpl);
    const remote = await connect("JSONRPC");
    await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
      code: "agent.protocol",
      message: expect.stringContaining("sent an answer that cannot be unpacked") as unknown,
    });
    expect(asked).toBe(1);
  });
});

describe("an answer within the bound", () => {
  const limited = (response: Response): Promise<Response> =>
    withAnswerLimit(() => Promise.resolve(response), { answerBytes: 10 }, "Agent")("http://a.example");

  it.each([
    ["that says how long it is", new Response("{}", { headers: { "Content-Length": "2" } })],
    ["that is a stream", new Response("x".repeat(20), { headers: { "Content-Type": "text/event-stream" } })],
    ["without a body", new Response(null, { status: 204 })],
  ])("%s is handed on as it is", async (__, response) => {
    expect(await limited(response)).toBe(response);
  });

  it("that does not say how long it is, or is packed, is the same when it was read", async () => {
    const headers = { "Content-Length": "2", "Content-Encoding": "br", "X-One": "1" };
    for (const given of [{}, headers]) {
      const init = { status: 201, statusText: "Made", headers: given };
      const response = await limited(new Response("0123456789", init));
      expect([response.status, response.statusText, response.headers.get("X-One")]).toEqual([
        201,
        "Made",
        new Headers(given).get("X-One"),
      ]);
      expect(await response.text()).toBe("0123456789");
    }
  });

  it("of an agent of ours is never copied", async () => {
    const agent = scriptedAgent(() => answering(["x"]));
    await withServed({ agent }, async ({ url }) => {
      const plain: boolean[] = [];
      const seen: Fetch = async (input, init) => {
        const response = await nodeFetch(input, init);
        const { headers } = response;
        plain.push(headers.has("Content-Length") || headers.get("Content-Type") === "text/event-stream");
        return response;
      };
      const remote = await connectAgent(url, { fetch: seen });
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await collect(remote.join(taskId, { signal }));
      await expect(remote.cancel("nobody")).rejects.toMatchObject({ code: "agent.task-lost" });
      expect(plain.every(Boolean)).toBe(true);
    });
  });
});
