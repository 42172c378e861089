import type { ServerResponse } from "node:http";

import { nodeFetch } from "@troupe/core/node";
import { gate, serveHttp, virtualClock } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { collect } from "../testing/index.ts";
import { EXT } from "../wire/extension.ts";
import { connectAgent } from "./connect-agent.ts";

const task = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };
const frame = (id: number): string =>
  `id: e.1\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: { task } })}\n\n`;

/**
 * An agent that works for ever, and a call that follows it: the first stream brings the task, `again`
 * decides what later ones do.
 */
async function following(
  again: (response: ServerResponse, id: number) => void,
  { ours }: { readonly ours: boolean },
) {
  const calls: string[] = [];
  const { url, close } = await serveHttp((request, response) => {
    if (request.method === "GET") {
      const extensions = ours ? [{ uri: EXT }] : [];
      const url = `http://${request.headers.host ?? ""}/`;
      response.end(
        JSON.stringify({
          name: "quiet",
          capabilities: { streaming: true, extensions },
          supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
        }),
      );
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        readonly id: number;
        readonly method: string;
      };
      if (method === "GetTask") {
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: task }));
        return;
      }
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      if (method === "SendStreamingMessage") response.write(frame(id));
      else again(response, id);
    });
  });
  onTestFinished(close);
  const clock = virtualClock();
  const begun = gate();
  const fetch: typeof nodeFetch = async (input, init) => {
    const response = await nodeFetch(input, init);
    const method = typeof init?.body === "string" ? /"method":"(\w+)"/.exec(init.body)?.[1] : undefined;
    if (method !== undefined) calls.push(method);
    return response;
  };
  const remote = await connectAgent(url, { clock, fetch, random: () => 0 });
  const caller = new AbortController();
  const ended = collect(
    remote.stream({ text: "hi" }, { signal: caller.signal, onTask: () => begun.open() }),
  ).catch((error: unknown) => error);
  await begun.opened;
  const call = { over: false };
  void ended.then(() => (call.over = true));
  /** Silence passes, and the pause before the next call, which begins when the break has come through. */
  const silence = async (answered: number): Promise<void> => {
    await clock.advance(45_000);
    while (calls.length < answered && !call.over) {
      await clock.advance(50);
      await settled();
    }
    // The answer is where it is waited for.
    await settled();
  };
  return { url, clock, calls, ended, silence, leave: () => caller.abort(new Error("enough")) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("an agent that works on and says nothing, not even by heartbeats, is not given up", async () => {
  const again = (response: ServerResponse, id: number) => response.write(frame(id));
  const { clock, calls, ended, silence, leave } = await following(again, { ours: false });
  for (const answered of [3, 5, 7]) await silence(answered);
  expect(calls.filter((method) => method === "SubscribeToTask")).toHaveLength(3);
  leave();
  expect(await ended).toMatchObject({ message: "enough" });
  expect(clock.pending).toBe(0);
});

it("one whose streams open and lack the heartbeats they should have ends as what it is", async () => {
  const again = (response: ServerResponse) => response.flushHeaders();
  const { url, clock, calls, ended, silence } = await following(again, { ours: true });
  await silence(2);
  await silence(3);
  await silence(Infinity);
  expect(await ended).toMatchObject({
    code: "agent.timeout",
    retryable: true,
    message: `Agent "quiet" at ${url} fell silent: nothing came on its stream for 45 s.`,
  });
  expect(calls).toEqual(["SendStreamingMessage", "SubscribeToTask", "SubscribeToTask"]);
  expect(clock.pending).toBe(0);
});

it("one that knows the task and never opens a stream again is given up", async () => {
  const asked = gate();
  const { url, clock, calls, ended, silence } = await following(() => asked.open(), { ours: false });
  await silence(2);
  await asked.opened;
  await clock.advance(10_000);
  expect(await ended).toMatchObject({
    code: "agent.timeout",
    message: `Agent "quiet" at ${url} did not answer within 10 s.`,
  });
  expect(calls).toEqual(["SendStreamingMessage", "GetTask"]);
  expect(clock.pending).toBe(0);
});
