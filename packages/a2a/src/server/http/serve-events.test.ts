import { gate, virtualClock } from "@troupe/core/testing";
import type { Express } from "express";
import { expect, it } from "vitest";

import { answering, heldAgent, scriptedAgent, withServed } from "../../testing/index.ts";
import type { Authenticate } from "./gate.ts";
import { serveEvents } from "./serve-events.ts";

const authenticate: Authenticate = ({ authorization }) =>
  Promise.resolve({ id: String(authorization), scopes: ["*"] });
const limits = { streamsPerUser: 1 };
const agent = scriptedAgent(() => answering(["hello"]));
const get = (url: string, who = "ann") => fetch(url, { headers: { Authorization: who } });

/** Paths with events: `/held` goes on until it is let, `/failing` then fails, `/broken` before its first. */
function streams() {
  const held = gate();
  const failing = gate();
  const ways: { readonly [path: string]: (gone: AbortSignal) => AsyncGenerator<string> } = {
    async *"/held"(gone) {
      yield "first";
      const left = new Promise((resolve) => gone.addEventListener("abort", resolve, { once: true }));
      await Promise.race([held.opened, left]);
    },
    async *"/failing"() {
      yield "first";
      await failing.opened;
      throw new Error("broken off");
    },
    async *"/broken"() {
      yield await Promise.reject<string>(new Error("not begun"));
    },
  };
  const idOf = (): undefined => undefined;
  const how = { clock: virtualClock(), idOf, errorFrame: () => "failed" };
  const routes = (app: Express): void => {
    for (const [path, events] of Object.entries(ways))
      app.get(path, (_req, res) => serveEvents(res, events, how));
  };
  return { routes, end: () => held.open(), fail: () => failing.open() };
}

it("counts events with the protocol's streams of their caller, and refuses one too many", async () => {
  const { agent, begun, goOn } = heldAgent();
  const { routes, end } = streams();
  await withServed({ agent, authenticate, limits, routes }, async ({ url }) => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
    const stream = await fetch(`${url}/a2a/rest/message:stream`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "A2A-Version": "1.0", Authorization: "ann" },
      body: JSON.stringify({ message }),
    });
    await begun;
    const refused = await get(`${url}/held`);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
    const error = "1 streams of yours are open already; let one of them end first.";
    expect(await refused.json()).toEqual({ error });
    const others = await get(`${url}/held`, "bob");
    expect(others.status).toBe(200);
    end();
    goOn();
    await Promise.all([stream.text(), others.text()]);
    expect(await (await get(`${url}/held`)).text()).toBe('data: "first"\n\n');
  });
});

it("gives the place back when the events end, when they fail, and when they do not begin", async () => {
  const { routes, end, fail } = streams();
  await withServed({ agent, authenticate, limits, routes }, async ({ url }) => {
    const held = await get(`${url}/held`);
    expect((await get(`${url}/failing`)).status).toBe(429);
    end();
    await held.text();
    const failing = await get(`${url}/failing`);
    expect((await get(`${url}/held`)).status).toBe(429);
    fail();
    expect(await failing.text()).toBe('data: "first"\n\nevent: error\ndata: "failed"\n\n');
    for (let times = 0; times < 2; times++) {
      const broken = await get(`${url}/broken`);
      expect([broken.status, await broken.json()]).toEqual([
        500,
        { error: "The request could not be handled." },
      ]);
    }
    expect((await get(`${url}/held`)).status).toBe(200);
  });
});

it("gives the place of a reader that leaves back", async () => {
  const { routes } = streams();
  await withServed({ agent, authenticate, limits, routes }, async ({ url }) => {
    const first = await get(`${url}/held`);
    await first.body?.cancel();
    // The server learns of it a moment later.
    await expect.poll(async () => (await get(`${url}/held`)).status).toBe(200);
  });
});
