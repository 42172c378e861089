import type { RequestListener } from "node:http";

import { silentLog } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { gate, serveHttp, virtualClock } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { answering, scriptedAgent, withServed } from "../testing/index.ts";
import { connectAgent, type ConnectOptions } from "./connect-agent.ts";

/** A server that does this with every request, and a client of it. */
async function cardServer(listener: RequestListener) {
  const clock = virtualClock();
  const asked = gate();
  let requests = 0;
  const { url, close } = await serveHttp((request, response) => {
    requests++;
    asked.open();
    listener(request, response);
  });
  onTestFinished(close);
  const connect = (options: ConnectOptions = {}): Promise<unknown> =>
    connectAgent(url, { clock, fetch: nodeFetch, random: () => 0, ...options }).catch(
      (error: unknown) => error,
    );
  return { clock, asked: asked.opened, url, connect, requests: () => requests };
}

describe("a card that is asked for", () => {
  it.each([
    [{}, 10_000, "10 s"],
    [{ answerMs: 300 }, 300, "300 ms"],
  ])("of a server that takes the connection and says nothing is given up: %j", async (limits, ms, words) => {
    const { clock, asked, url, connect, requests } = await cardServer(() => undefined);
    const ended = connect({ limits });
    await asked;
    await clock.advance(ms);
    expect(await ended).toMatchObject({
      code: "agent.timeout",
      retryable: true,
      message: `The agent at ${url} did not show its card within ${words}.`,
    });
    expect([clock.pending, requests()]).toEqual([0, 1]);
  });

  it("that begins and never ends is given up", async () => {
    const sent = gate();
    const { clock, connect } = await cardServer((_, response) => {
      response.write('{"name":', () => sent.open());
    });
    const ended = connect();
    await sent.opened;
    await clock.advance(10_000);
    expect(await ended).toMatchObject({ code: "agent.timeout" });
    expect(clock.pending).toBe(0);
  });

  it.each([429, 503])("is asked for again when a busy agent (%i) says, and once", async (status) => {
    const refused = gate();
    const { clock, connect, requests } = await cardServer((_, response) => {
      response.writeHead(status, { "Retry-After": "5" }).end('{"error":"Starting."}');
    });
    const log = { ...silentLog, debug: () => refused.open() };
    const ended = connect({ log });
    await refused.opened;
    await clock.advance(4_900);
    expect(requests()).toBe(1);
    await clock.advance(200);
    expect(await ended).toMatchObject({
      code: "agent.busy",
      retryAfterMs: 5_000,
      message: expect.stringMatching(/takes no more just now: Starting\. Try again in 5 s\.$/) as unknown,
    });
    expect([clock.pending, requests()]).toEqual([0, 2]);
  });

  it("is not waited for longer than is granted", async () => {
    const { connect, requests } = await cardServer((_, response) => {
      response.writeHead(503, { "Retry-After": "31" }).end();
    });
    expect(await connect()).toMatchObject({ code: "agent.busy", retryAfterMs: 31_000 });
    expect(requests()).toBe(1);
  });

  it.each([
    [401, "agent.unauthenticated"],
    [403, "agent.forbidden"],
    [500, "agent.unreachable"],
  ])("and refused with %i is %s", async (status, code) => {
    const { connect, requests } = await cardServer((_, response) => {
      response.writeHead(status).end();
    });
    expect(await connect()).toMatchObject({ code });
    expect(requests()).toBe(1);
  });
});

describe("headers", () => {
  it("may be an object: the card and every call bear them", async () => {
    const authenticate = (headers: { readonly [name: string]: unknown }) =>
      Promise.resolve(headers["x-api-key"] === "k" ? { id: "ann", scopes: ["*"] } : undefined);
    const agent = scriptedAgent(() => answering(["x"]));
    await withServed({ agent, authenticate }, async ({ url }) => {
      const seen: (string | null)[] = [];
      const fetch: typeof nodeFetch = (input, init) => {
        seen.push(new Headers(init?.headers).get("x-api-key"));
        return nodeFetch(input, init);
      };
      const remote = await connectAgent(url, { headers: { "X-API-Key": "k" }, fetch });
      await remote.send({ text: "hi" }, { signal: new AbortController().signal });
      expect(seen).toEqual(["k", "k"]);
    });
  });

  it.each(["Bearer x", null, [["a", "b"]], new Map(), { "x-api-key": 7 }])(
    "that are none are refused, and not the agent's fault: %j",
    async (wrong) => {
      const options: ConnectOptions = {};
      // As JavaScript lets one.
      Object.assign(options, { headers: wrong });
      await expect(connectAgent("http://127.0.0.1:1", options)).rejects.toMatchObject({
        code: "input.invalid",
        message: expect.stringMatching(/header/) as unknown,
      });
    },
  );
});
