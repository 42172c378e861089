import { silentLog, type ToolContext } from "@troupe/core";
import { describe, expect, it, onTestFinished } from "vitest";

import { serveHttp } from "../server/index.ts";
import { echo, flakyRig, sampleServer } from "../testing/flaky-rig.ts";
import { poolRig } from "../testing/pool-rig.ts";

describe("when a server misbehaves", () => {
  it("posts a hanging call once, ends it at the deadline, and tells the server", async () => {
    const rig = await flakyRig({ callTimeoutMs: 30_000 }, "hang");
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
    const rig = await flakyRig();
    const caller = new AbortController();
    const outcome = rig.call("wait", {}, { signal: caller.signal }).catch((error: unknown) => error);
    await rig.seen.entered;
    const reason = new Error("enough");
    caller.abort(reason);
    expect(await outcome).toBe(reason);
    await rig.seen.aborted;
  });

  it("hands its deadline on, so the server stops by itself", async () => {
    const rig = await flakyRig({ callTimeoutMs: 40 });
    await rig.tool("wait");
    const outcome = rig.call("wait").catch((error: unknown) => error);
    await rig.seen.entered;
    // The server runs on real time; our clock stands still.
    await rig.seen.aborted;
    expect(await outcome).toMatchObject({ isError: true });
  });

  it("does not open its breaker for HTTP 4xx", async () => {
    const rig = await flakyRig({}, ...Array.from({ length: 8 }, () => ({ status: 422 })));
    for (let i = 0; i < 8; i++) await expect(echo(rig)).rejects.toThrow("HTTP 422");
    expect((await echo(rig)).text).toBe("hi");
    expect(rig.server.calls).toBe(9);
  });

  it("opens it for failing ones, refuses at once, and comes back by a single call", async () => {
    const rig = await flakyRig({ maxRetries: 0 }, ...Array.from({ length: 5 }, () => ({ status: 503 })));
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
      const rig = await flakyRig({}, fault);
      expect((await echo(rig)).text).toBe("hi");
      expect([rig.server.calls, rig.pauses]).toEqual([2, [500]]);
    },
  );

  it.each(["reset", "cut", { status: 500 }] as const)(
    "never repeats one that may not after %j",
    async (fault) => {
      const rig = await flakyRig({}, fault);
      await expect(rig.call("cite")).rejects.toMatchObject({
        code: "tool.unavailable",
        message: expect.stringContaining("It may have run all the same"),
      });
      expect(rig.server.calls).toBe(1);
    },
  );

  it("calls an answer that is not MCP by its name", async () => {
    const rig = await flakyRig({}, "garbage");
    await expect(echo(rig)).rejects.toMatchObject({ code: "tool.failed" });
  });

  it.each([
    ["by HTTP 404", undefined],
    ["by HTTP 400", { status: 400, body: "Bad Request: No valid session ID provided" }],
  ] as const)(
    "opens a session again that the server forgot (%s), unseen by the caller",
    async (_how, fault) => {
      const rig = await flakyRig();
      await echo(rig);
      if (fault) rig.server.script(fault);
      else await rig.server.forgetSessions();
      expect((await rig.call("cite")).summary).toBe("one passage");
      expect(rig.server.handshakes).toBe(2);
      expect(rig.pauses).toEqual([]);
    },
  );

  it("opens it once for all who find it gone", async () => {
    const rig = await flakyRig();
    await echo(rig);
    await rig.server.forgetSessions();
    const outputs = await Promise.all(["a", "b", "c"].map((text) => echo(rig, text)));
    expect(outputs.map((output) => output.text)).toEqual(["a", "b", "c"]);
    expect(rig.server.handshakes).toBe(2);
  });

  it("says so when credentials are refused", async () => {
    const { create } = sampleServer();
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
