import { randomUUID } from "node:crypto";

import { silentLog } from "@troupe/core";
import { describe, expect, it, onTestFinished } from "vitest";

import { createMcpServer } from "../server/index.ts";
import { echo, flakyRig } from "../testing/flaky-rig.ts";
import { legacySseServer } from "../testing/legacy-sse-server.ts";
import { poolRig } from "../testing/pool-rig.ts";
import { sampleTools } from "../testing/sample-tools.ts";
import { createMcpPool } from "./pool.ts";

describe("the pool", () => {
  const options = {
    clock: poolRig({ name: "x", url: "http://127.0.0.1:1" }).clock,
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
    expect(() => pool.source("ppt")).toThrow('No MCP server "ppt" is configured. Known: rag.');
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

  it("ends a call too that still waits on a connection which was given up", async () => {
    const rig = await flakyRig({}, "hang", { status: 404 });
    const hanging = echo(rig, "one");
    await rig.server.arrived(1);
    await echo(rig, "two");
    expect(rig.server.handshakes).toBe(2);
    const [ended] = await Promise.allSettled([hanging, rig.pool.close()]);
    expect(ended).toMatchObject({ reason: { message: expect.stringContaining("the pool is closed") } });
  });

  it("tells which servers do not answer, without counting that against later calls", async () => {
    const rig = await flakyRig();
    expect(await rig.pool.unanswered()).toEqual([]);
    await rig.server.forgetSessions();
    expect(await rig.pool.unanswered()).toEqual([]);
    const nobody = poolRig({ name: "nobody", url: "http://127.0.0.1:1/mcp" });
    onTestFinished(() => nobody.pool.close());
    for (let n = 0; n < 20; n++)
      expect(await nobody.pool.unanswered()).toEqual([
        expect.stringContaining('MCP server "nobody" at http://127.0.0.1:1/mcp cannot be reached'),
      ]);
    expect(nobody.warnings).toEqual([]);
  });

  it("fails what is asked of it after it closed", async () => {
    const rig = await flakyRig();
    await echo(rig);
    await rig.pool.close();
    await expect(echo(rig)).rejects.toThrow("the pool is closed");
  });
});
