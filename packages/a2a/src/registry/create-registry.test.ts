import { silentLog } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { serveAgent } from "../server/index.ts";
import { answering, collect, scriptedAgent, withServed } from "../testing/index.ts";
import { createRegistry } from "./create-registry.ts";

const signal = new AbortController().signal;
const agent = scriptedAgent(() => answering(["x"]), { name: "rag-agent", title: "RAG" });
const local = scriptedAgent(() => answering(["y"]), { name: "here" });

describe("the registry", () => {
  it("lists remote agents by their card and agents of this process, all up", async () => {
    await withServed({ agent }, async ({ url }) => {
      const registry = createRegistry({ urls: [url], agents: [local] });
      expect(await registry.list()).toMatchObject([
        { name: "here", status: "up" },
        { ...agent.profile, url, status: "up" },
      ]);
      expect(await registry.find("rag-agent")).toMatchObject({ title: "RAG" });
      expect(await registry.find("nobody")).toBeUndefined();
      registry.close();
    });
  });

  it("reports an agent that leaves, with the reason, and uses it again when it comes back", async () => {
    const clock = virtualClock();
    const first = await serveAgent({ agent });
    const registry = createRegistry({ urls: [first.url], clock, checkIntervalMs: 1_000 });
    const status = async (): Promise<unknown> => {
      const [entry] = await registry.list();
      return entry?.status;
    };
    expect(await status()).toBe("up");
    await first.close();
    await registry.refresh();
    expect(await registry.find("rag-agent")).toMatchObject({
      status: "down",
      reason: expect.stringContaining("cannot be reached") as unknown,
    });
    await expect(registry.connection("rag-agent")).rejects.toMatchObject({
      code: "agent.unreachable",
      retryable: true,
    });
    const again = await serveAgent({ agent, port: Number(new URL(first.url).port) });
    await registry.refresh();
    expect(await status()).toBe("up");
    const connection = await registry.connection("rag-agent");
    expect((await collect(connection.stream({ text: "hi" }, { signal }))).at(-1)).toMatchObject({
      outcome: "completed",
    });
    registry.close();
    await again.close();
  });

  it("adds what is known of an agent that cannot be reached to the reason", async () => {
    const url = "http://127.0.0.1:1";
    const whyDown = (agent: string): string | undefined => (agent === url ? "Restarting in 8 s." : undefined);
    const registry = createRegistry({ urls: [url], whyDown });
    expect(await registry.list()).toMatchObject([
      { status: "down", reason: expect.stringMatching(/cannot be reached.* Restarting in 8 s\.$/) },
    ]);
    registry.close();
  });

  it("waits for an agent that was never reached as long as one may take to start, and no longer", async () => {
    const clock = virtualClock();
    const registry = createRegistry({ urls: ["http://127.0.0.1:1"], clock });
    const began = clock.now();
    let waited: number | undefined;
    const starting = registry.started(signal).then(() => (waited = clock.now() - began));
    await expect
      .poll(() => clock.advance(250).then(() => waited), { interval: 1, timeout: 20_000 })
      .toBeDefined();
    await starting;
    expect(waited).toBeGreaterThanOrEqual(10_000);
    expect(waited).toBeLessThan(11_000);
    await registry.started(signal);
    const enough = new AbortController();
    registry.add("http://127.0.0.1:2");
    const cut = registry.started(enough.signal);
    enough.abort(new Error("enough"));
    await expect(cut).rejects.toThrow("enough");
    registry.close();
  });

  it("tells its log once of agents that have the same name", async () => {
    await withServed({ agent }, (one) =>
      withServed({ agent }, async (other) => {
        const warnings: unknown[] = [];
        const log = { ...silentLog, warn: (_: string, fields?: object) => void warnings.push(fields) };
        const registry = createRegistry({ urls: [one.url, other.url], log });
        await registry.list();
        await registry.refresh();
        expect(warnings).toEqual([{ agent: "rag-agent", urls: [one.url, other.url] }]);
        registry.close();
      }),
    );
  });

  it("looks again every interval, and not after it was closed", async () => {
    const clock = virtualClock();
    let looks = 0;
    const refused = (): Promise<Response> => {
      looks++;
      return Promise.reject(new TypeError("fetch failed"));
    };
    const registry = createRegistry({
      urls: ["http://127.0.0.1:1"],
      clock,
      checkIntervalMs: 1_000,
      fetch: refused,
    });
    expect(await registry.list()).toMatchObject([{ name: "http://127.0.0.1:1", status: "down" }]);
    expect(looks).toBe(1);
    await clock.advance(2_000);
    expect(looks).toBe(3);
    registry.close();
    await clock.advance(5_000);
    expect(looks).toBe(3);
    expect(clock.pending).toBe(0);
  });

  it("finds an agent that came up after the first look, without waiting for the next", async () => {
    let up = false;
    const later: typeof fetch = (input, init) =>
      up ? fetch(input, init) : Promise.reject(new TypeError("fetch failed"));
    await withServed({ agent }, async ({ url }) => {
      const registry = createRegistry({ urls: [url], clock: virtualClock(), fetch: later });
      const listed = createRegistry({ urls: [url], clock: virtualClock(), fetch: later });
      expect(await listed.list()).toMatchObject([{ status: "down" }]);
      await expect(registry.connection("rag-agent")).rejects.toMatchObject({ code: "agent.unknown" });
      up = true;
      expect((await registry.connection("rag-agent")).profile.name).toBe("rag-agent");
      expect(await listed.list()).toMatchObject([{ name: "rag-agent", status: "up" }]);
      registry.close();
      listed.close();
    });
  });

  it.each([1, 2, 3])("never says for good that an agent is missing that comes up at look %i", async (up) => {
    await withServed({ agent }, async ({ url }) => {
      let looks = 0;
      const registry = createRegistry({
        urls: [url],
        fetch: (...call) => (++looks < up ? Promise.reject(new TypeError("fetch failed")) : fetch(...call)),
      });
      const found = () => registry.connection("rag-agent").catch((error: unknown) => error);
      const known = { profile: { name: "rag-agent" } };
      const waits = { code: "agent.unknown", retryable: true };
      expect(await found()).toMatchObject(looks >= up ? known : waits);
      expect(await found()).toMatchObject(known);
      registry.close();
    });
  });

  it("gives up on an agent that does not answer in time", async () => {
    const clock = virtualClock();
    const silent: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
      });
    const registry = createRegistry({
      urls: ["http://127.0.0.1:1"],
      clock,
      checkTimeoutMs: 100,
      fetch: silent,
    });
    const listed = registry.list();
    await clock.advance(100);
    expect(await listed).toMatchObject([{ status: "down", reason: "No answer within 100 ms." }]);
    registry.close();
  });

  it("names the nearest agents when there is no such one", async () => {
    const registry = createRegistry({ agents: [local, agent] });
    await expect(registry.connection("rag-agnt")).rejects.toMatchObject({
      code: "agent.unknown",
      message: 'There is no agent "rag-agnt". Did you mean "rag-agent"?',
    });
    const empty = createRegistry({});
    await expect(empty.connection("x")).rejects.toThrow("No agents are registered.");
  });
});
