import { nodeFetch } from "@troupe/core/node";
import { gate, virtualClock } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { serveAgent, type Lacks } from "../server/index.ts";
import {
  answering,
  collect,
  messageExecutor,
  scriptedAgent,
  servePlainAgent,
  withServed,
} from "../testing/index.ts";
import { createRegistry, type RegistryOptions } from "./create-registry.ts";
import type { AgentChange } from "./watched-agent.ts";

const signal = new AbortController().signal;
const agent = scriptedAgent(() => answering(["x"]), { name: "rag-agent" });
const all = { card: true, model: true, tools: true };

const pathOf = (input: Parameters<typeof fetch>[0]): string =>
  new URL(input instanceof Request ? input.url : input).pathname;

/** A registry that looks when the clock says so, and every look that it took. */
function watching(urls: readonly string[], options: RegistryOptions = {}) {
  const clock = virtualClock();
  const changes: AgentChange[] = [];
  const asked: { readonly path: string; readonly status: number; readonly at: number }[] = [];
  const fetchImpl: typeof fetch = async (input, init) => {
    const at = clock.now();
    const response = await (options.fetch ?? nodeFetch)(input, init);
    asked.push({ path: pathOf(input), status: response.status, at });
    return response;
  };
  const registry = createRegistry({
    clock,
    random: () => 0,
    onChange: (change) => changes.push(change),
    ...options,
    fetch: fetchImpl,
    urls,
  });
  const kinds = () => changes.map(({ status }) => status);
  return { clock, registry, changes, kinds, asked };
}

describe("an agent of ours", () => {
  it("is up only while its model and tools answer, and says why not", async () => {
    let lacks: Lacks = { tools: ['MCP server "docs" does not answer'] };
    await withServed({ agent, ready: () => Promise.resolve(lacks) }, async ({ url }) => {
      const { registry, clock, kinds } = watching([url]);
      expect(await registry.find("rag-agent")).toMatchObject({
        status: "down",
        reason: 'It can be reached but is not ready: MCP server "docs" does not answer',
        capabilities: { ...all, tools: false },
        since: clock.now(),
      });
      await expect(registry.connection("rag-agent")).rejects.toMatchObject({
        code: "agent.unreachable",
        retryable: true,
      });
      // What it has begun can still be followed.
      expect((await registry.connection("rag-agent", { anyway: true })).profile.name).toBe("rag-agent");
      lacks = {};
      await clock.advance(10_000);
      await registry.refresh();
      expect(await registry.list()).toMatchObject([{ status: "up", capabilities: all }]);
      expect(kinds()).toEqual(["down", "up"]);
      registry.close();
    });
  });

  it("is listed with the model it asks that has no price", async () => {
    await withServed({ agent: { ...agent, unpriced: "some-model" } }, async ({ url }) => {
      expect(await watching([url]).registry.list()).toMatchObject([{ status: "up", unpriced: "some-model" }]);
    });
  });

  it("that was well is down only when it says otherwise twice", async () => {
    let lacks: Lacks = {};
    await withServed({ agent, ready: () => Promise.resolve(lacks) }, async ({ url }) => {
      const { registry, kinds } = watching([url]);
      await registry.list();
      lacks = { model: ["The model does not answer."] };
      await registry.refresh();
      expect(await registry.list()).toMatchObject([{ status: "up" }]);
      await registry.refresh();
      expect(await registry.list()).toMatchObject([{ status: "down" }]);
      lacks = {};
      await registry.refresh();
      lacks = { model: ["The model does not answer."] };
      await registry.refresh();
      lacks = {};
      await registry.refresh();
      expect(kinds()).toEqual(["up", "down", "up"]);
      registry.close();
    });
  });

  it("that is asked whether it is ready and never says so is down by the deadline", async () => {
    const hanging: typeof fetch = (input, init) =>
      pathOf(input) === "/readyz"
        ? new Promise((_, reject) => {
            init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
          })
        : nodeFetch(input, init);
    await withServed({ agent }, async ({ url }) => {
      const asked = gate();
      const { registry, clock } = watching([url], {
        fetch: (input, init) => {
          if (pathOf(input) === "/readyz") asked.open();
          return hanging(input, init);
        },
      });
      const listed = registry.list();
      await asked.opened;
      await clock.advance(5_000);
      expect(await listed).toMatchObject([{ status: "down", reason: "No answer within 5000 ms." }]);
      registry.close();
    });
  });

  it("sends its card once, and is called through one connection as long as the card stays", async () => {
    await withServed({ agent }, async ({ url }) => {
      const { registry, asked } = watching([url]);
      const before = await registry.connection("rag-agent");
      await registry.refresh();
      await registry.refresh();
      expect(await registry.connection("rag-agent")).toBe(before);
      const cards = asked.filter(({ path }) => path !== "/readyz").map(({ status }) => status);
      expect(cards).toEqual([200, 304, 304]);
      registry.close();
    });
  });

  it("whose calls fail is looked at without waiting for the interval", async () => {
    await withServed({ agent }, async ({ url, close }) => {
      const { registry, changes } = watching([url], { limits: { retries: 0, failures: 2 } });
      const connection = await registry.connection("rag-agent");
      await close();
      for (let i = 0; i < 2; i++)
        await expect(connection.send({ text: "hi" }, { signal })).rejects.toThrow("cannot be reached");
      await registry.refresh();
      expect(changes.at(-1)).toMatchObject({
        name: "rag-agent",
        url,
        status: "down",
        reason: expect.stringContaining("cannot be reached") as unknown,
      });
      registry.close();
    });
  });

  it("that is well again is called at once, though it was to be left alone after calls that failed", async () => {
    const first = await serveAgent({ agent });
    onTestFinished(() => first.close());
    const { registry, kinds } = watching([first.url], {
      limits: { retries: 0, failures: 1, restMs: 60_000 },
    });
    onTestFinished(() => registry.close());
    const connection = await registry.connection("rag-agent");
    await first.close();
    await expect(connection.send({ text: "hi" }, { signal })).rejects.toThrow("cannot be reached");
    await expect(connection.send({ text: "hi" }, { signal })).rejects.toThrow("is left alone for a moment");
    await registry.refresh();
    const again = await serveAgent({ agent, port: Number(new URL(first.url).port) });
    onTestFinished(() => again.close());
    await registry.refresh();
    expect(kinds()).toEqual(["up", "down", "up"]);
    expect(await connection.send({ text: "hi" }, { signal })).toHaveProperty("taskId");
  });
});

describe("an agent that nobody asks for", () => {
  it("is known to have left and to have come back, by the clock alone", async () => {
    const told = { up: gate(), down: gate() };
    const first = await serveAgent({ agent });
    onTestFinished(first.close);
    const kinds: string[] = [];
    const onChange = ({ status }: AgentChange): void => {
      kinds.push(status);
      told[status].open();
    };
    const { registry, clock } = watching([first.url], { onChange });
    onTestFinished(() => registry.close());
    const next = async (status: "up" | "down"): Promise<void> => {
      await clock.advance(10_000);
      await told[status].opened;
      // The look that told it has ended, and so the next one is due.
      await new Promise((resolve) => setImmediate(resolve));
    };
    await next("up");
    await first.close();
    await next("down");
    const again = await serveAgent({ agent, port: Number(new URL(first.url).port) });
    onTestFinished(again.close);
    told.up = gate();
    await next("up");
    expect(kinds).toEqual(["up", "down", "up"]);
  });
});

describe("a foreign agent", () => {
  it("is well when its card answers, and is not asked for more", async () => {
    const plain = await servePlainAgent(messageExecutor((text) => text));
    try {
      const { registry, asked } = watching([plain.url]);
      const [entry] = await registry.list();
      expect(entry).toMatchObject({ name: "plain-agent", status: "up" });
      expect(entry).not.toHaveProperty("capabilities");
      expect(asked.map(({ path }) => path)).toEqual(["/.well-known/agent-card.json"]);
      const connection = await registry.connection("plain-agent");
      expect((await collect(connection.stream({ text: "hi" }, { signal }))).at(-1)).toMatchObject({
        outcome: "completed",
      });
      registry.close();
    } finally {
      await plain.close();
    }
  });
});

describe("a hundred agents", () => {
  it("are never looked at all at once, and drift apart", async () => {
    const clock = virtualClock();
    let now = 0;
    let most = 0;
    const starts: number[] = [];
    const refusing: typeof fetch = async () => {
      most = Math.max(most, ++now);
      starts.push(clock.now());
      await Promise.resolve();
      now--;
      throw new TypeError("fetch failed");
    };
    let seed = 7;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const urls = Array.from({ length: 100 }, (_, i) => `http://127.0.0.1:${i + 1}`);
    const registry = createRegistry({ urls, clock, random, fetch: refusing });
    await registry.refresh();
    expect(most).toBeLessThanOrEqual(32);
    const began = clock.now();
    starts.length = 0;
    await clock.advance(10_000);
    // Everybody within one interval, and nowhere a tenth of them in the same tenth of a second.
    expect(starts).toHaveLength(100);
    const perSlot = Map.groupBy(starts, (at) => Math.floor((at - began) / 100));
    expect(Math.max(...[...perSlot.values()].map((slot) => slot.length))).toBeLessThanOrEqual(12);
    registry.close();
    expect(clock.pending).toBe(0);
  });
});
