import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

import { nodeFetch } from "@troupe/core/node";
import { gate, virtualClock } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { collect } from "../testing/index.ts";
import { connectAgent } from "./connect-agent.ts";

const task = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };

/** A foreign agent that works for ever: its first stream brings the task, `again` decides what later ones do. */
async function silentAgent(again: (response: ServerResponse) => void) {
  const calls: string[] = [];
  const subscribed = gate();
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.end(JSON.stringify(card(`http://${request.headers.host ?? ""}/`)));
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        readonly id: number;
        readonly method: string;
      };
      calls.push(method);
      if (method === "GetTask") {
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: task }));
        return;
      }
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      if (method === "SendStreamingMessage")
        response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { task } })}\n\n`);
      else {
        again(response);
        subscribed.open();
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = `http://127.0.0.1:${address.port}`;
  return { url, calls, subscribed: subscribed.opened };
}

const card = (url: string): object => ({
  name: "quiet",
  capabilities: { streaming: true },
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
});

it("a stream that opens and then says nothing ends by its deadline, and as what it is", async () => {
  const { url, calls, subscribed } = await silentAgent((response) => response.flushHeaders());
  const clock = virtualClock();
  const opened = gate();
  const begun = gate();
  const fetch: typeof nodeFetch = async (input, init) => {
    const response = await nodeFetch(input, init);
    if (calls.includes("SubscribeToTask")) opened.open();
    return response;
  };
  const remote = await connectAgent(url, { clock, fetch, random: () => 0, limits: { firstEventMs: 60_000 } });
  const { signal } = new AbortController();
  const ended = collect(remote.stream({ text: "hi" }, { signal, onTask: () => begun.open() })).catch(
    (error: unknown) => error,
  );
  await begun.opened;
  await clock.advance(45_000);
  await within(subscribed, clock);
  await opened.opened;
  await clock.advance(60_000);
  expect(await ended).toMatchObject({
    code: "agent.timeout",
    retryable: true,
    message: `Agent "quiet" at ${url} fell silent: nothing came on its stream for 60 s.`,
  });
  expect(calls).toEqual(["SendStreamingMessage", "GetTask", "SubscribeToTask"]);
  expect(clock.pending).toBe(0);
});

/** The pause before a task is taken up again begins when the break has come through. */
async function within(event: Promise<unknown>, clock: ReturnType<typeof virtualClock>): Promise<void> {
  while (!(await Promise.race([event.then(() => true), clock.advance(50).then(() => false)])));
}
