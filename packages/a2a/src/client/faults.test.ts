import { silentLog } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { faultProxy, gate, virtualClock } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { serveAgent } from "../server/index.ts";
import { answering, collect, messageExecutor, scriptedAgent, servePlainAgent } from "../testing/index.ts";
import { connectAgent, type ConnectOptions } from "./connect-agent.ts";

const { signal } = new AbortController();
const outcomes = (events: readonly { readonly type: string }[]) => events.at(-1);

/** An agent behind a proxy that breaks; its answer goes on when `go` is opened. */
async function behindProxy(options: ConnectOptions = {}, onAnswer: (body: string) => void = () => undefined) {
  const clock = virtualClock();
  const go = gate();
  const agent = scriptedAgent(async function* () {
    yield* answering(["one ", "two"]).slice(0, 2);
    await go.opened;
    yield* answering(["one ", "two"]).slice(2);
  });
  const served = await serveAgent({ agent, clock });
  const proxy = await faultProxy({ targetPort: Number(new URL(served.url).port), clock });
  const remote = await connectAgent(`http://127.0.0.1:${proxy.port}`, {
    clock,
    random: () => 0,
    fetch: throughProxy(proxy.port, onAnswer),
    ...options,
  });
  onTestFinished(async () => {
    go.open();
    await served.close();
    await proxy.close();
  });
  return { clock, go, agent, proxy, remote };
}

/** The card names the agent's own address; here everything goes through the proxy. */
function throughProxy(port: number, onAnswer: (body: string) => void): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    url.port = String(port);
    const response = await nodeFetch(url, init);
    onAnswer(typeof init?.body === "string" ? init.body : "");
    return response;
  };
}

/** Resolves when the client says that it asks again. */
function again() {
  const asked = gate();
  return { asked: asked.opened, log: { ...silentLog, debug: () => asked.open() } };
}

describe("before the first event", () => {
  it("a message that was taken though its answer got lost is sent again, and runs once", async () => {
    const { agent, remote, clock, go, asked } = await (async () => {
      const { asked: heard, log } = again();
      let lost = false;
      const losing: typeof fetch = async (input, init) => {
        const response = await nodeFetch(input, init);
        if (lost || init?.method !== "POST") return response;
        lost = true;
        await response.body?.cancel();
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
        });
      };
      const rig = await behindProxy();
      const url = rig.remote.card.supportedInterfaces[0]?.url ?? "";
      const options = { fetch: losing, clock: rig.clock, random: () => 0, log };
      return { ...rig, asked: heard, remote: await connectAgent(new URL(url).origin, options) };
    })();
    go.open();
    const events = collect(remote.stream({ text: "count" }, { signal }));
    await asked;
    await clock.advance(100);
    expect(outcomes(await events)).toMatchObject({ outcome: "completed", response: { content: "one two" } });
    expect(agent.requests).toHaveLength(1);
  });

  it("a foreign agent is not asked twice what it may have begun", async () => {
    let asked = 0;
    const plain = await servePlainAgent(messageExecutor((text) => `${++asked}: ${text}`));
    onTestFinished(() => plain.close());
    const losing: typeof fetch = async (input, init) => {
      const response = await nodeFetch(input, init);
      if (init?.method !== "POST") return response;
      await response.body?.cancel();
      throw new TypeError("fetch failed", {
        cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
      });
    };
    const remote = await connectAgent(plain.url, { fetch: losing });
    await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
      code: "agent.unreachable",
    });
    expect(asked).toBe(1);
  });

  it("an agent that is being started again is asked again", async () => {
    const { asked, log } = again();
    const { clock, go, proxy, remote } = await behindProxy({ log });
    go.open();
    await proxy.set({ kind: "refuse" });
    const events = collect(remote.stream({ text: "count" }, { signal }));
    await asked;
    await proxy.set({ kind: "none" });
    await clock.advance(100);
    expect(outcomes(await events)).toMatchObject({ outcome: "completed" });
  });

  it("an agent that takes the call and never answers is given up by the deadline", async () => {
    const { clock, proxy, remote } = await behindProxy();
    await proxy.set({ kind: "black-hole" });
    const late = { code: "agent.timeout", retryable: true };
    const streamed = collect(remote.stream({ text: "count" }, { signal })).catch((error: unknown) => error);
    const asked = remote.tasks("c", { signal }).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await asked).toMatchObject({
      ...late,
      message: expect.stringContaining("within 10 s") as unknown,
    });
    await clock.advance(20_000);
    expect(await streamed).toMatchObject({
      ...late,
      message: expect.stringContaining("within 30 s") as unknown,
    });
    expect(clock.pending).toBe(0);
  });

  it("a call ends when its whole time is over, wherever it is", async () => {
    // Shorter than the deadline of the first event, which may not have come by then.
    const { clock, remote } = await behindProxy({ limits: { totalMs: 20_000 } });
    const events = collect(remote.stream({ text: "count" }, { signal })).catch((error: unknown) => error);
    await clock.advance(20_000);
    expect(await events).toMatchObject({
      code: "agent.timeout",
      message: expect.stringMatching(/did not end within 20 s/) as unknown,
    });
  });
});

describe("after the first event", () => {
  it.each(["reset", "black-hole"] as const)("a connection that is gone (%s) is made anew", async (kind) => {
    const { asked, log } = again();
    const { clock, go, agent, proxy, remote } = await behindProxy({ log, limits: { awayMs: 60_000 } });
    const events: { readonly type: string }[] = [];
    const begun = gate();
    const read = (async () => {
      for await (const event of remote.stream({ text: "count" }, { signal })) {
        events.push(event);
        if (event.type === "text-delta") begun.open();
      }
    })();
    await begun.opened;
    await proxy.set({ kind });
    if (kind === "black-hole") {
      // Cut off without a word: only the silence tells, and the question about the task gets none either.
      await clock.advance(45_000);
      await clock.advance(10_000);
    }
    await asked;
    await proxy.set({ kind: "none" });
    go.open();
    await clock.advance(2_000);
    await read;
    expect(outcomes(events)).toMatchObject({ outcome: "completed", response: { content: "one two" } });
    expect(events.filter(({ type }) => type === "text-start")).toHaveLength(1);
    expect(agent.requests).toHaveLength(1);
  });
});

it("a task that says nothing for long after its connection was made anew is not given up", async () => {
  const { asked, log } = again();
  const followed = gate();
  const { clock, go, proxy, remote } = await behindProxy({ log }, (body) => {
    if (body.includes("SubscribeToTask")) followed.open();
  });
  const begun = gate();
  const read = (async () => {
    const events: { readonly type: string }[] = [];
    for await (const event of remote.stream({ text: "count" }, { signal })) {
      events.push(event);
      if (event.type === "text-delta") begun.open();
    }
    return events;
  })();
  await begun.opened;
  await proxy.set({ kind: "reset" });
  await asked;
  await proxy.set({ kind: "none" });
  await clock.advance(100);
  // The server lets a second pass before it answers without an event.
  while (!(await Promise.race([followed.opened.then(() => true), clock.advance(50).then(() => false)])));
  await clock.advance(30_000);
  go.open();
  expect(outcomes(await read)).toMatchObject({ outcome: "completed" });
});

describe("an agent that wants to be left alone", () => {
  /** Refuses the first `times` requests with these headers; the card comes from a real agent. */
  async function busy(times: number, headers: Record<string, string>, status = 429) {
    const clock = virtualClock();
    const agent = scriptedAgent(() => answering(["x"]));
    const served = await serveAgent({ agent });
    onTestFinished(() => served.close());
    let posts = 0;
    const fetchImpl: typeof fetch = (input, init) => {
      if (init?.method !== "POST" || ++posts > times) return nodeFetch(input, init);
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32_000, message: "Slow down." } });
      return Promise.resolve(new Response(body, { status, headers }));
    };
    const options = { clock, fetch: fetchImpl, random: () => 0 };
    const remote = await connectAgent(served.url, options);
    return { clock, agent, remote, posts: () => posts };
  }

  it.each([429, 503])("is, for as long as it says (%i), and then asked the same again", async (status) => {
    const { clock, agent, remote, posts } = await busy(1, { "Retry-After": "5" }, status);
    const sent = remote.send({ text: "hi" }, { signal });
    await clock.advance(4_900);
    expect(posts()).toBe(1);
    await clock.advance(200);
    await sent;
    expect([posts(), agent.requests.length]).toEqual([2, 1]);
  });

  it("for too long is busy, and says for how long", async () => {
    const { remote, posts } = await busy(Infinity, { "Retry-After": "3600" });
    await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
      code: "agent.busy",
      retryable: true,
      retryAfterMs: 3_600_000,
      message: expect.stringContaining("takes no more just now: Slow down. Try again in 3600 s.") as unknown,
    });
    expect(posts()).toBe(1);
  });

  it("is never asked more than twice for each call, however many there are", async () => {
    const { clock, remote, posts } = await busy(Infinity, { "Retry-After": "1" });
    const calls = Array.from({ length: 50 }, () =>
      remote.send({ text: "hi" }, { signal }).catch((error: unknown) => error),
    );
    await clock.advance(60_000);
    const ended = await Promise.all(calls);
    expect(ended).toEqual(ended.map(() => expect.objectContaining({ code: "agent.busy" }) as unknown));
    expect(posts()).toBe(100);
    expect(clock.pending).toBe(0);
  });
});

describe("an agent in trouble", () => {
  it("is left alone after 5 failures, then tried once", async () => {
    const { clock, proxy, remote } = await behindProxy({ limits: { retries: 0 } });
    await proxy.set({ kind: "reset" });
    const code = () => remote.send({ text: "hi" }, { signal }).catch((error: unknown) => error);
    for (let i = 0; i < 5; i++) expect(await code()).toMatchObject({ code: "agent.unreachable" });
    const before = proxy.connections;
    expect(await code()).toMatchObject({
      code: "agent.unreachable",
      message: expect.stringMatching(/left alone for a moment/) as unknown,
    });
    expect(proxy.connections).toBe(before);
    await proxy.set({ kind: "none" });
    await clock.advance(500);
    expect(await code()).toMatchObject({ taskId: expect.any(String) as unknown });
  });

  it("gets so many calls at a time, a line, and a clear no beyond it; cancel waits for nobody", async () => {
    const { remote, go, agent } = await behindProxy({ limits: { maxConcurrent: 1, maxWaiting: 1 } });
    const running = remote.stream({ text: "1" }, { signal })[Symbol.asyncIterator]();
    await running.next();
    const waiting = collect(remote.stream({ text: "2" }, { signal }));
    await expect(remote.send({ text: "3" }, { signal })).rejects.toMatchObject({
      code: "agent.busy",
      message: expect.stringContaining("1 are at it and 1 wait") as unknown,
    });
    await expect(remote.cancel("nobody")).rejects.toMatchObject({ code: "agent.task-lost" });
    expect(agent.requests).toHaveLength(1);
    go.open();
    await running.return?.();
    expect(outcomes(await waiting)).toMatchObject({ outcome: "completed" });
  });
});

describe("connections", () => {
  it("are kept: calls one after another, streams among them, share one", async () => {
    const { go, proxy, remote } = await behindProxy();
    go.open();
    for (let i = 0; i < 10; i++) {
      expect(outcomes(await collect(remote.stream({ text: "go" }, { signal })))).toMatchObject({
        outcome: "completed",
      });
      const { taskId } = await remote.send({ text: "go" }, { signal });
      await collect(remote.join(taskId, { signal }));
      await remote.tasks("c", { signal });
    }
    // One more at most, where a stream has not quite ended when the next call begins.
    expect(proxy.connections).toBeLessThanOrEqual(2);
  });
});
