import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

import { silentLog, type ToolContext } from "@troupe/core";
import { describe, expect, it, onTestFinished } from "vitest";

import { createMcpServer, serveHttp } from "../server/index.ts";
import { faultProxy } from "../testing/fault-proxy.ts";
import { flakyMcpServer, type CallFault } from "../testing/flaky-mcp-server.ts";
import { legacySseServer } from "../testing/legacy-sse-server.ts";
import { memoryArtifactStore } from "../testing/memory-artifact-store.ts";
import { poolRig, type PoolRig } from "../testing/pool-rig.ts";
import { sampleTools } from "../testing/sample-tools.ts";
import type { McpServerConfig } from "./config.ts";
import { createMcpPool } from "./pool.ts";

function sample() {
  const artifacts = memoryArtifactStore();
  const { tools, seen } = sampleTools(artifacts);
  const create = () =>
    createMcpServer({ name: "sample", version: "1", tools, artifacts, log: silentLog, newId: randomUUID });
  return { seen, create };
}

async function flaky(config: Partial<McpServerConfig> = {}, ...faults: CallFault[]) {
  const { seen, create } = sample();
  const server = await flakyMcpServer({ create, newId: randomUUID });
  server.script(...faults);
  const artifacts = memoryArtifactStore();
  const rig = poolRig({ name: "sample", url: server.url, ...config }, { artifacts });
  onTestFinished(async () => {
    await rig.pool.close();
    await server.close();
  });
  return { ...rig, server, seen, artifacts };
}

const echo = (rig: Pick<PoolRig, "call">, text = "hi", context?: Partial<ToolContext>) =>
  rig.call("echo", { text }, context);

describe("calling tools over Streamable HTTP", () => {
  it("lists and calls, with the schema unchanged and who asks handed on", async () => {
    const rig = await flaky();
    const tool = await rig.tool("cite");
    expect(JSON.stringify(tool.definition.inputSchema)).toContain('"x-troupe-ref":"chart"');
    expect([tool.idempotent, (await rig.tool("echo")).idempotent]).toEqual([false, true]);
    expect(await echo(rig, "hi", { userId: "eva", collectionId: "norrvik" })).toEqual({ text: "hi" });
    expect(rig.seen.contexts[0]).toMatchObject({
      runId: "run-1",
      callId: "call-1",
      agent: "rag-agent",
      userId: "eva",
      collectionId: "norrvik",
    });
  });

  it("brings citations, charts, data and summary across unchanged", async () => {
    const rig = await flaky();
    const { tools } = sampleTools();
    const local = await tools[1]?.execute({}, {} as ToolContext);
    expect(await rig.call("cite")).toEqual(local);
  });

  it("stores the files of a result for the user who asked", async () => {
    const rig = await flaky();
    const output = await rig.call("save", { name: "a.txt", content: "hällo" }, { userId: "eva" });
    expect(output.text).toBe("saved a.txt");
    expect(output.artifacts).toMatchObject([{ name: "a.txt", mediaType: "text/plain", bytes: 6 }]);
    expect(output.artifacts).toEqual(rig.artifacts.refs);
    expect(rig.artifacts.refs[0]?.id).toMatch(/-eva$/);
  });

  it("checks arguments before they go out", async () => {
    const rig = await flaky();
    const tool = await rig.tool("echo");
    expect(tool.parse({ text: "x", times: 0 })).toMatchObject({ ok: false, issues: [/^times: /] });
    expect(tool.parse({ text: "x" })).toEqual({ ok: true, value: { text: "x" } });
    expect(rig.server.calls).toBe(0);
  });

  it("passes a tool's own failure on as a result", async () => {
    const rig = await flaky();
    expect(await rig.call("refuse")).toEqual({
      text: 'No presentation "p9". Call powerpoint_create_presentation first.',
      isError: true,
    });
  });

  it("makes calls at the same time on one connection", async () => {
    const rig = await flaky();
    const outputs = await Promise.all(["a", "b", "c"].map((text) => echo(rig, text)));
    expect(outputs.map((output) => output.text)).toEqual(["a", "b", "c"]);
    expect(rig.server.handshakes).toBe(1);
  });

  it("shows the tools of its allow list only, and says which of them are missing", async () => {
    const rig = await flaky({ tools: ["echo", "missing"] });
    const tools = await rig.source.list({ signal: new AbortController().signal });
    expect(tools.map((tool) => tool.definition.name)).toEqual(["echo"]);
    expect(rig.warnings).toEqual(["mcp server lacks tools it is asked for"]);
  });

  it("cuts a long text where a model can see it", async () => {
    const rig = await flaky({ maxTextBytes: 1_000 });
    const output = await echo(rig, "ä".repeat(5_000));
    expect(output.text).toMatch(/ä\n\[cut off: 1000 of 10000 bytes are shown/);
  });

  it("refuses an answer that is too large to take", async () => {
    const rig = await flaky({ maxResponseBytes: 20_000 });
    await expect(echo(rig, "x".repeat(30_000))).rejects.toMatchObject({ code: "tool.failed" });
    expect((await echo(rig)).text).toBe("hi");
  });
});

describe("when a server misbehaves", () => {
  it("posts a hanging call once, ends it at the deadline, and tells the server", async () => {
    const rig = await flaky({ callTimeoutMs: 30_000 }, "hang");
    const tool = await rig.tool("echo");
    const outcome = rig.call("echo", { text: "x" }).catch((error: unknown) => error);
    await rig.server.arrived(1);
    await rig.clock.advance(30_000);
    const error = (await outcome) as Error;
    expect(error).toMatchObject({ code: "tool.timeout" });
    expect(error.message).toContain(
      `"echo" on MCP server "sample" at ${rig.server.url}: no answer within 30000 ms`,
    );
    await rig.server.cancelled(1);
    expect([rig.server.calls, tool.idempotent]).toEqual([1, true]);
  });

  it("stops the server's tool when the caller gives up", async () => {
    const rig = await flaky();
    const caller = new AbortController();
    const outcome = rig.call("wait", {}, { signal: caller.signal }).catch((error: unknown) => error);
    await rig.seen.entered;
    const reason = new Error("enough");
    caller.abort(reason);
    expect(await outcome).toBe(reason);
    await rig.seen.aborted;
  });

  it("hands its deadline on, so the server stops by itself", async () => {
    const rig = await flaky({ callTimeoutMs: 40 });
    await rig.tool("wait");
    const outcome = rig.call("wait").catch((error: unknown) => error);
    await rig.seen.entered;
    // The server runs on real time; our clock stands still.
    await rig.seen.aborted;
    expect(await outcome).toMatchObject({ isError: true });
  });

  it("does not open its breaker for HTTP 4xx", async () => {
    const rig = await flaky({}, ...Array.from({ length: 8 }, () => ({ status: 422 })));
    for (let i = 0; i < 8; i++) await expect(echo(rig)).rejects.toThrow("HTTP 422");
    expect((await echo(rig)).text).toBe("hi");
    expect(rig.server.calls).toBe(9);
  });

  it("opens it for failing ones, refuses at once, and comes back by a single call", async () => {
    const rig = await flaky({ maxRetries: 0 }, ...Array.from({ length: 5 }, () => ({ status: 503 })));
    const tool = await rig.tool("cite");
    const context = { signal: new AbortController().signal, log: silentLog } as ToolContext;
    for (let i = 0; i < 5; i++) await expect(tool.execute({}, context)).rejects.toThrow("HTTP 503");
    await expect(tool.execute({}, context)).rejects.toMatchObject({
      code: "tool.unavailable",
      retryable: true,
      message: expect.stringContaining("Next try in 60 s"),
    });
    expect(rig.server.calls).toBe(5);
    await rig.clock.advance(60_000);
    const outcomes = await Promise.allSettled([tool.execute({}, context), tool.execute({}, context)]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await echo(rig)).text).toBe("hi");
  });

  it.each(["reset", "cut", { status: 500 }] as const)(
    "repeats a call that may run twice after %j",
    async (fault) => {
      const rig = await flaky({}, fault);
      expect((await echo(rig)).text).toBe("hi");
      expect([rig.server.calls, rig.pauses]).toEqual([2, [500]]);
    },
  );

  it.each(["reset", "cut", { status: 500 }] as const)(
    "never repeats one that may not after %j",
    async (fault) => {
      const rig = await flaky({}, fault);
      await expect(rig.call("cite")).rejects.toMatchObject({
        code: "tool.unavailable",
        message: expect.stringContaining("It may have run all the same"),
      });
      expect(rig.server.calls).toBe(1);
    },
  );

  it("calls an answer that is not MCP by its name", async () => {
    const rig = await flaky({}, "garbage");
    await expect(echo(rig)).rejects.toMatchObject({ code: "tool.failed" });
  });

  it.each([
    ["by HTTP 404", undefined],
    ["by HTTP 400", { status: 400, body: "Bad Request: No valid session ID provided" }],
  ] as const)(
    "opens a session again that the server forgot (%s), unseen by the caller",
    async (_how, fault) => {
      const rig = await flaky();
      await echo(rig);
      if (fault) rig.server.script(fault);
      else await rig.server.forgetSessions();
      expect((await rig.call("cite")).summary).toBe("one passage");
      expect(rig.server.handshakes).toBe(2);
      expect(rig.pauses).toEqual([]);
    },
  );

  it("opens it once for all who find it gone", async () => {
    const rig = await flaky();
    await echo(rig);
    await rig.server.forgetSessions();
    const outputs = await Promise.all(["a", "b", "c"].map((text) => echo(rig, text)));
    expect(outputs.map((output) => output.text)).toEqual(["a", "b", "c"]);
    expect(rig.server.handshakes).toBe(2);
  });

  it("says so when credentials are refused", async () => {
    const { create } = sample();
    const server = await serveHttp({ create, port: 0, auth: (token) => token === "good" });
    const bare = poolRig({ name: "sample", url: server.url });
    const good = poolRig({ name: "sample", url: server.url, headers: { authorization: "Bearer good" } });
    onTestFinished(async () => {
      await Promise.all([bare.pool.close(), good.pool.close()]);
      await server.close({ graceMs: 0 });
    });
    await expect(echo(bare)).rejects.toMatchObject({ message: expect.stringContaining("Set its headers.") });
    expect((await echo(good)).text).toBe("hi");
  });
});

describe("when the network misbehaves", () => {
  async function proxied(config: Partial<McpServerConfig> = {}) {
    const { seen, create } = sample();
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
    const first = sample();
    const one = await flakyMcpServer({ create: first.create, newId: randomUUID });
    const rig = poolRig({ name: "sample", url: one.url, maxRetries: 0 });
    onTestFinished(() => rig.pool.close());
    expect((await echo(rig)).text).toBe("hi");
    await one.close();
    const tool = await rig.tool("echo").catch(() => undefined);
    await expect(echo(rig)).rejects.toMatchObject({ code: "tool.unavailable" });
    const two = await flakyMcpServer({ create: sample().create, newId: randomUUID, port: one.port });
    onTestFinished(() => two.close());
    expect((await echo(rig)).text).toBe("hi");
    expect(two.handshakes).toBe(1);
    expect(tool === undefined || tool.definition.name === "echo").toBe(true);
  });
});

describe("servers that know only SSE", () => {
  it("are found out, used, and used again after their stream broke", async () => {
    const { create } = sample();
    const server = await legacySseServer({ create });
    const rig = poolRig({ name: "old", url: server.url });
    onTestFinished(async () => {
      await rig.pool.close();
      await server.close();
    });
    expect((await echo(rig)).text).toBe("hi");
    expect((await rig.call("cite")).citations).toHaveLength(1);
    server.dropStreams();
    expect((await echo(rig)).text).toBe("hi");
    expect(server.streams).toBe(2);
  });

  it("fail a running call when the stream breaks", async () => {
    const { create, seen } = sample();
    const server = await legacySseServer({ create });
    const rig = poolRig({ name: "old", url: server.url, transport: "sse" });
    onTestFinished(async () => {
      await rig.pool.close();
      await server.close();
    });
    const outcome = rig.call("wait").catch((error: unknown) => error);
    await seen.entered;
    server.dropStreams();
    expect(await outcome).toMatchObject({ code: "tool.unavailable" });
  });
});

describe("servers that are child processes", () => {
  const program = fileURLToPath(new URL("../testing/stdio-sample-server.ts", import.meta.url));
  const child = { command: process.execPath, args: ["--conditions=troupe-source", program] };

  it("are started, and started again when they died in a call", async () => {
    const artifacts = memoryArtifactStore();
    const rig = poolRig({ name: "child", ...child }, { artifacts });
    onTestFinished(() => rig.pool.close());
    expect((await rig.call("save", { name: "n.txt", content: "x" })).artifacts).toMatchObject([
      { name: "n.txt" },
    ]);
    await expect(rig.call("die")).rejects.toMatchObject({ code: "tool.unavailable" });
    expect((await echo(rig)).text).toBe("hi");
  });

  it("are named when their command does not exist", async () => {
    const rig = poolRig({ name: "child", command: "no-such-command-anywhere" });
    await expect(echo(rig)).rejects.toMatchObject({
      code: "tool.unavailable",
      message: expect.stringContaining('"no-such-command-anywhere" cannot be started (ENOENT)'),
    });
    expect(rig.pauses).toEqual([]);
    await rig.pool.close();
  });
});

describe("the pool", () => {
  const options = {
    clock: poolRig({ name: "x", url: "http://127.0.0.1:1" }).clock,
    newId: () => "x",
    log: silentLog,
  };

  it("asks for the tools again only when they changed", async () => {
    const { tools } = sampleTools();
    let now = tools.slice(0, 1);
    const servers: ReturnType<typeof createMcpServer>[] = [];
    let lists = 0;
    const create = () => {
      const server = createMcpServer({
        name: "changing",
        version: "1",
        tools: () => {
          lists++;
          return now;
        },
        log: silentLog,
        newId: randomUUID,
      });
      servers.push(server);
      return server;
    };
    const server = await legacySseServer({ create });
    const rig = poolRig({ name: "changing", url: server.url, transport: "sse" });
    onTestFinished(async () => {
      await rig.pool.close();
      await server.close();
    });
    const list = () => rig.source.list({ signal: new AbortController().signal });
    expect(await list()).toBe(await list());
    expect(lists).toBe(1);
    now = tools.slice(0, 2);
    await servers[0]?.toolsChanged();
    // The notice and the next answer come on one stream, in order.
    await rig.call("echo", { text: "x" });
    expect(await list()).toHaveLength(2);
  });

  it("knows its servers by name", () => {
    const pool = createMcpPool([{ name: "rag", url: "http://127.0.0.1:1/mcp" }], options);
    expect(pool.source("rag").name).toBe("rag");
    expect(() => pool.source("ppt")).toThrow('No MCP server "ppt" is configured. Configured: rag.');
  });

  it.each([
    [
      [
        { name: "a", url: "http://x" },
        { name: "a", url: "http://y" },
      ],
      "configured twice",
    ],
    [[{ name: "a", url: "ftp://x" }], "is no http address"],
    [[{ name: "a", url: "localhost:80" }], "is no http address"],
  ])("refuses a configuration that cannot work", (servers, message) => {
    expect(() => createMcpPool(servers, options)).toThrow(message);
  });

  it("fails what is asked of it after it closed", async () => {
    const rig = await flaky();
    await echo(rig);
    await rig.pool.close();
    await expect(echo(rig)).rejects.toThrow("the pool is closed");
  });
});
