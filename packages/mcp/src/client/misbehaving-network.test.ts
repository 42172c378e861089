import { randomUUID } from "node:crypto";

import { faultProxy, virtualClock } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { flakyMcpServer } from "../testing/flaky-mcp-server.ts";
import { echo, sampleServer } from "../testing/flaky-rig.ts";
import { poolRig } from "../testing/pool-rig.ts";
import type { McpServerConfig } from "./config.ts";

describe("when the network misbehaves", () => {
  async function proxied(config: Partial<McpServerConfig> = {}) {
    const { seen, create } = sampleServer();
    const server = await flakyMcpServer({ create, newId: randomUUID });
    const rig = poolRig({ name: "sample", url: "http://127.0.0.1:1", ...config });
    const proxy = await faultProxy({ targetPort: server.port, clock: rig.clock });
    const through = poolRig({
      name: "sample",
      url: `http://127.0.0.1:${proxy.port}/mcp?key=secret`,
      ...config,
    });
    onTestFinished(async () => {
      const closed = through.pool.close();
      await through.clock.advance(1_000);
      await closed;
      await proxy.close();
      await server.close();
    });
    return { ...through, server, proxy, seen };
  }

  it("names the server, its address and what to do when nobody listens, and uses it once it is there", async () => {
    const rig = await proxied();
    await rig.proxy.set({ kind: "refuse" });
    await expect(echo(rig)).rejects.toMatchObject({
      code: "tool.unavailable",
      retryable: true,
      message:
        `MCP server "sample" at http://127.0.0.1:${rig.proxy.port}/mcp cannot be reached (ECONNREFUSED), ` +
        "so its tools are not known. Start it, or set its url.",
    });
    expect(rig.pauses).toEqual([500, 1_000]);
    await rig.proxy.set({ kind: "none" });
    expect((await echo(rig)).text).toBe("hi");
  });

  it("waits for a server that restarts, shows it, and says so when it stays away", async () => {
    const first = sampleServer();
    const server = await flakyMcpServer({ create: first.create, newId: randomUUID });
    const proxy = await faultProxy({ targetPort: server.port, clock: virtualClock() });
    const pauses: number[] = [];
    let backAfter = 4;
    const clock = {
      ...virtualClock(),
      sleep: async (ms: number) => {
        pauses.push(ms);
        if (pauses.length === backAfter) await proxy.set({ kind: "none" });
      },
    };
    const rig = poolRig({ name: "sample", url: `http://127.0.0.1:${proxy.port}/mcp` }, { clock });
    onTestFinished(async () => {
      await proxy.close();
      await rig.pool.close();
      await server.close();
    });
    await rig.tool("echo");
    const shown = new Set<string>();
    const progress = ({ message }: { readonly message: string }): void => void shown.add(message);

    await proxy.set({ kind: "refuse" });
    await server.forgetSessions();
    expect((await echo(rig, "hi", { progress })).text).toBe("hi");
    expect(pauses).toEqual([500, 1_000, 2_000, 2_000]);
    expect([...shown]).toEqual(['Waiting for the MCP server "sample" to restart']);

    backAfter = Infinity;
    await proxy.set({ kind: "refuse" });
    await expect(echo(rig)).rejects.toMatchObject({
      code: "tool.unavailable",
      retryable: true,
      message: expect.stringMatching(/It may be restarting: try again in a moment, or start it\.$/),
    });
  });

  it("waits no longer than it should for a connection", async () => {
    const rig = await proxied({ connectTimeoutMs: 5_000 });
    await rig.proxy.set({ kind: "black-hole" });
    const outcome = echo(rig).catch((error: unknown) => error);
    await rig.clock.advance(5_000);
    expect(await outcome).toMatchObject({
      code: "tool.timeout",
      message: expect.stringContaining("no connection within 5000 ms"),
    });
  });

  it("lets a caller go at once while it connects", async () => {
    const rig = await proxied();
    await rig.proxy.set({ kind: "black-hole" });
    const caller = new AbortController();
    const outcome = rig.source.list({ signal: caller.signal }).catch((error: unknown) => error);
    const reason = new Error("enough");
    caller.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it("reads answers that arrive in single bytes", async () => {
    const rig = await proxied();
    await rig.proxy.set({ kind: "slices", bytes: 1 });
    expect((await echo(rig, "grüße 👋")).text).toBe("grüße 👋");
  });

  it("uses a server again that was killed and started anew", async () => {
    const first = sampleServer();
    const one = await flakyMcpServer({ create: first.create, newId: randomUUID });
    const rig = poolRig({ name: "sample", url: one.url, maxRetries: 0 });
    onTestFinished(() => rig.pool.close());
    expect((await echo(rig)).text).toBe("hi");
    await one.close();
    const tool = await rig.tool("echo").catch(() => undefined);
    await expect(echo(rig)).rejects.toMatchObject({ code: "tool.unavailable" });
    const two = await flakyMcpServer({ create: sampleServer().create, newId: randomUUID, port: one.port });
    onTestFinished(() => two.close());
    expect((await echo(rig)).text).toBe("hi");
    expect(two.handshakes).toBe(1);
    expect(tool === undefined || tool.definition.name === "echo").toBe(true);
  });
});
