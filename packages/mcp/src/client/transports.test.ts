import { fileURLToPath } from "node:url";

import { memoryArtifactStore, serveHttp, toolSourceContract } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { echo, flakyRig, sampleServer } from "../testing/flaky-rig.ts";
import { legacySseServer } from "../testing/legacy-sse-server.ts";
import { poolRig } from "../testing/pool-rig.ts";

const program = fileURLToPath(new URL("../testing/stdio-sample-server.ts", import.meta.url));
const child = { command: process.execPath, args: ["--conditions=troupe-source", program] };

const known = { tool: "echo", accepts: { args: { text: "hello" }, text: "hello" }, rejects: { text: 7 } };

toolSourceContract("MCP over Streamable HTTP", async () => ({ source: (await flakyRig()).source, ...known }));

toolSourceContract("MCP over SSE", async () => {
  const server = await legacySseServer({ create: sampleServer().create });
  onTestFinished(() => server.close());
  return { source: poolRig({ name: "old", url: server.url }).source, ...known };
});

toolSourceContract("MCP over stdio", async () => ({
  source: poolRig({ name: "child", ...child }).source,
  ...known,
}));

describe("servers that redirect", () => {
  it.each(["http", "sse"] as const)(
    "are followed within their own origin only, over %s",
    async (transport) => {
      const asked: string[] = [];
      const other = await serveHttp((_request, response) => response.end());
      const server = await serveHttp((request, response) => {
        asked.push(request.url ?? "");
        response.writeHead(307, { Location: request.url === "/mcp" ? "/mcp/" : other.url }).end();
      });
      onTestFinished(() => {
        server.close();
        other.close();
      });
      const { source } = poolRig({ name: "away", url: `${server.url}/mcp`, transport });
      await expect(source.list({ signal: new AbortController().signal })).rejects.toMatchObject({
        name: "ToolError",
      });
      expect(asked).toContain("/mcp/");
      expect(other.sockets.size).toBe(0);
    },
  );
});

describe("servers that know only SSE", () => {
  it("are found out, used, and used again after their stream broke", async () => {
    const { create } = sampleServer();
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
    const { create, seen } = sampleServer();
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

  it.each([
    [
      "a message",
      'console.error("starting\\nshop-mcp: The file is damaged. Delete it.\\n")',
      "shop-mcp: The file is damaged. Delete it.",
    ],
    [
      "an error with its stack",
      'throw Object.assign(new Error("no such table"), { code: "E1" })',
      "Error: no such table",
    ],
    [
      "what a Node that is too old says",
      'import("node:of-later")',
      "Error \\[ERR_UNKNOWN_BUILTIN_MODULE\\]: No such built-in module: node:of-later",
    ],
    ["nothing", "", "none"],
  ])("are quoted when they end before they are ready, after %s", async (_what, code, line) => {
    const rig = poolRig({ name: "child", command: process.execPath, args: ["-e", code] });
    await expect(echo(rig)).rejects.toMatchObject({
      code: "tool.unavailable",
      message: expect.stringMatching(new RegExp(`ended before it was ready, .* error output: ${line}$`)),
    });
    expect(rig.pauses).toEqual([]);
    await rig.pool.close();
  });

  it("are quoted without the secrets they were given", async () => {
    const code = "console.error(`cannot log in with ${process.env.SHOP_TOKEN} at ${process.env.SHOP_PLACE}`)";
    const env = { SHOP_TOKEN: "sesame-open", SHOP_PLACE: "the harbour" };
    const rig = poolRig({ name: "child", command: process.execPath, args: ["-e", code], env });
    await expect(echo(rig)).rejects.toThrow("error output: cannot log in with *** at the harbour");
    await rig.pool.close();
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
