import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { freePort } from "@troupe/core/testing";
import type { Json } from "@troupe/stream";
import type { DagDriver, DagSpec, HostedEngine } from "@troupe/workflow";
import { memoryEventLog, outcomeOf, watchSteps } from "@troupe/workflow/testing";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

import { openRestateEngine, type RestateEngineOptions } from "./open-restate-engine.ts";
import { awayLog } from "./testing/away-log.ts";
import { startRestate, type RestateServer } from "./testing/index.ts";

const SPEC: DagSpec = { v: 1, name: "survival", steps: [], final: "passthrough" };
const MORTAL = fileURLToPath(new URL("./testing/mortal-orchestrator.ts", import.meta.url));

let server: RestateServer;
beforeAll(async () => {
  server = await startRestate();
});
afterAll(() => server.stop());

let services = 0;

/** An engine of its own for one test, opened again under the same name by what it gives. */
function engines(options: Partial<RestateEngineOptions> = {}) {
  const events = memoryEventLog(() => Date.now());
  const service = `survival-${++services}`;
  const port = freePort();
  const open = async (driver: DagDriver, more: Partial<RestateEngineOptions> = {}): Promise<HostedEngine> => {
    const own = { ...server, events, service, port: await port };
    const engine = await openRestateEngine({ ...own, ...options, ...more });
    onTestFinished(() => engine.close());
    await engine.register(driver);
    return engine;
  };
  return { events, open };
}

const begin = (engine: HostedEngine, runId = "r") => engine.start(SPEC, { objective: "survive" }, { runId });

/** How Restate has a run of this name. */
async function invocation(runId: string): Promise<{ readonly id: string; readonly status: string }> {
  const query = `SELECT id, status FROM sys_invocation
                 WHERE target_service_key = '${runId}' AND target_handler_name = 'run'`;
  const headers = { "content-type": "application/json", accept: "application/json" };
  const body = JSON.stringify({ query });
  const response = await fetch(`${server.adminUrl}/query`, { method: "POST", headers, body });
  const { rows } = (await response.json()) as { readonly rows: readonly [{ id: string; status: string }] };
  return rows[0];
}

async function operate(runId: string, what: string): Promise<void> {
  const { id } = await invocation(runId);
  await fetch(`${server.adminUrl}/invocations/${id}/${what}`, { method: "PATCH" });
}

const waiting: DagDriver = async (ctx) => {
  const got = await ctx.next([ctx.waitSignal("go"), ctx.waitSignal("$cancel")]);
  return outcomeOf(ctx, `${got.id} ${got.ok ? JSON.stringify(got.value) : got.error.code}`);
};

it("goes on after kill -9 of the orchestrator in the last step: the same values, nothing finished done again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "troupe-mortal-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, "log");
  // The same one for both processes: it is their address in Restate.
  const port = String(await freePort());
  const start = (mode: "hang" | "end") =>
    spawn(
      process.execPath,
      ["--conditions=troupe-source", MORTAL, server.ingressUrl, server.adminUrl, port, log, mode],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
  const first = start("hang");
  const [said] = (await once(first.stdout, "data")) as [Buffer];
  expect(said.toString()).toBe("in last step\n");
  first.kill("SIGKILL");
  await once(first, "exit");

  const second = start("end");
  const [answer] = (await once(second.stdout, "data")) as [Buffer];
  expect(answer.toString()).toBe("a by hang, b by hang, c by hang, done\n");
  expect((await once(second, "exit"))[0]).toBe(0);
  expect(await readFile(log, "utf8")).toBe("a\nb\nc\n");
});

it("goes on after kill -9 of Restate, with waiters and a signal that were there before", async () => {
  const watch = watchSteps(async (ctx) => {
    const seen: Json[] = [];
    for (const id of ["a", "b"]) {
      const settled = await ctx.next([ctx.step(id, async () => id)]);
      seen.push(settled.ok ? settled.value : settled.error.code);
    }
    reached.resolve();
    const go = await ctx.next([ctx.waitSignal("go")]);
    const late = await ctx.next([ctx.waitSignal("late")]);
    for (const got of [go, late]) seen.push(got.ok ? got.value : got.error.code);
    return outcomeOf(ctx, JSON.stringify(seen));
  });
  const reached = Promise.withResolvers<void>();
  const engine = await engines().open(watch.driver);
  await begin(engine);
  await reached.promise;
  const result = engine.result("r");
  expect(await engine.signal("r", "late", "kept", { idempotencyKey: "l" })).toBe("accepted");
  await server.kill();
  const answered = engine.signal("r", "go", "gone", { idempotencyKey: "g" });
  await server.restart();
  expect(await answered).toBe("accepted");
  expect((await result).response.content).toBe('["a","b","gone","kept"]');
  expect(watch.redone).toEqual([]);
  expect(watch.calls).toEqual(["r/a", "r/b"]);
});

it("aborts what an agent does within a second of the cancel, also of a run that has been at work for long", async () => {
  const took: number[] = [];
  let toldAt = 0;
  let begun = (): void => undefined;
  const driver: DagDriver = async (ctx) => {
    const canceled = ctx.waitSignal("$cancel");
    const slow = ctx.step("slow", async ({ signal }) => {
      begun();
      await once(signal, "abort");
      took.push(Date.now() - toldAt);
      return null;
    });
    // Longer than the inactivity timeout.
    await ctx.next([slow, ctx.timer("long", 1_500)]);
    begun();
    await ctx.next([slow, canceled]);
    ctx.abort(slow);
    await ctx.next([slow]);
    return outcomeOf(ctx, "canceled");
  };
  const engine = await engines({ inactivityMs: 500 }).open(driver);
  for (const runId of ["x", "y", "z"]) {
    const atWork = Promise.withResolvers<void>();
    let calls = 0;
    begun = () => ++calls === 2 && atWork.resolve();
    await begin(engine, runId);
    await atWork.promise;
    toldAt = Date.now();
    expect(await engine.cancel(runId, "enough")).toBe("accepted");
    await engine.result(runId);
  }
  // The best of three: the machine may be busy, the way it goes is not.
  expect(Math.min(...took)).toBeLessThan(1_000);
});

it("ends a step that gives more than a run may hold with an error that says so, once", async () => {
  const watch = watchSteps(async (ctx) => {
    const big = await ctx.next([ctx.step("big", async () => "x".repeat(40 * 2 ** 20))]);
    const errors = [big.ok ? "" : `${big.error.code}: ${big.error.message}`];
    for (let n = 0; n < 6; n++) {
      const next = await ctx.next([ctx.step(`part-${n}`, async () => "x".repeat(1.9 * 2 ** 20))]);
      errors.push(next.ok ? "ok" : next.error.message);
    }
    return outcomeOf(ctx, errors.join("\n"));
  });
  const engine = await engines().open(watch.driver);
  await begin(engine);
  const [first, ...parts] = (await engine.result("r")).response.content.split("\n");
  expect(first).toBe(
    'workflow.too-large: "big" ended with 42 MB, of at most 2.1 MB. Hand on what is large as a file.',
  );
  expect(parts.slice(0, 4)).toEqual(["ok", "ok", "ok", "ok"]);
  expect(parts[4]).toMatch(/^with "part-4" the run would hold results of 10 MB, of at most 8.4 MB/);
  expect(watch.calls).toHaveLength(7);
  const tooLarge = { code: "input.too-large" };
  await expect(engine.start(SPEC, "x".repeat(9 * 2 ** 20), { runId: "s" })).rejects.toMatchObject(tooLarge);
  const answer = engine.signal("r", "go", "x".repeat(3 * 2 ** 20), { idempotencyKey: "k" });
  await expect(answer).rejects.toMatchObject(tooLarge);
});

it("goes on and ends with the largest input, the most results and an answer that repeats them", async () => {
  const size = 2 ** 20;
  const engine = await engines({ inactivityMs: 300, retentionMs: 91 * 24 * 3_600_000 }).open(async (ctx) => {
    for (const n of [0, 1, 2, 3]) await ctx.next([ctx.step(`s${n}`, async () => "x".repeat(1.9 * size))]);
    await ctx.next([ctx.waitSignal("go")]);
    return outcomeOf(ctx, "x".repeat(3 * 8 * size));
  });
  const input = { objective: "survive", metadata: { large: "x".repeat(7.9 * size) } };
  await engine.start(SPEC, input, { runId: "largest" });
  await expect.poll(async () => (await invocation("largest")).status, { timeout: 60_000 }).toBe("suspended");
  await engine.signal("largest", "go", 1, { idempotencyKey: "g" });
  expect((await engine.result("largest")).response.content).toHaveLength(24 * size);
  const recorded = await engine.recorded("largest");
  expect(recorded?.input).toEqual(input);
  expect(recorded?.journal?.map(({ name }) => name)).toEqual(["s0", "s1", "s2", "s3", "signal:go"]);
});

it("pauses a run that the driver does not fit, says so, and goes on with it under the one that does", async () => {
  const { open } = engines();
  const step =
    (id: string): DagDriver =>
    async (ctx) => {
      await ctx.next([ctx.step(id, async () => id)]);
      reached.resolve();
      const got = await ctx.next([ctx.waitSignal("go")]);
      return outcomeOf(ctx, `${id} ${got.ok ? JSON.stringify(got.value) : ""}`);
    };
  const reached = Promise.withResolvers<void>();
  const first = await open(step("old"));
  await begin(first);
  await reached.promise;
  await first.close();

  const second = await open(step("new"));
  await expect
    .poll(async () => [...(await second.stuck(["r", "other"])).keys()], { timeout: 20_000 })
    .toEqual(["r"]);
  expect((await second.stuck(["r"])).get("r")).toMatchObject({ code: "workflow.journal-mismatch" });
  await second.close();

  const third = await open(step("old"));
  await third.signal("r", "go", 1, { idempotencyKey: "g" });
  expect((await third.result("r")).response.content).toBe("old 1");
  expect([...(await third.stuck(["r"]))]).toEqual([]);
});

it("pauses a run whose storage fails too often, and goes on with it when asked to", async () => {
  const { events, open } = engines({ maxAttempts: 2 });
  let full = true;
  const begun = events.begin.bind(events);
  events.begin = async (run) => {
    if (full) throw new Error("the disk is full");
    await begun(run);
  };
  const engine = await open(waiting);
  await expect(begin(engine)).rejects.toThrow("the disk is full");
  await expect.poll(async () => (await engine.stuck(["r"])).size, { timeout: 20_000 }).toBe(1);
  expect((await engine.stuck(["r"])).get("r")).toMatchObject({ code: "workflow.internal" });
  full = false;
  expect(await engine.resume("r")).toBe("resumed");
  await engine.signal("r", "go", null, { idempotencyKey: "g" });
  expect((await engine.result("r")).response.content).toBe("signal:go null");
  expect(await engine.resume("r")).toBe("no-run");
  expect(await engine.resume("nobody")).toBe("no-run");
});

it("pauses a run that waits for its log alone too often, and goes on with it by itself once the log is back", async () => {
  const { events, open } = engines({ maxAttempts: 2, inactivityMs: 200, abortMs: 200 });
  const storage = awayLog(events);
  storage.away();
  const engine = await open(waiting);
  await expect(begin(engine)).rejects.toMatchObject({ code: "store.io" });
  await expect.poll(async () => (await engine.stuck(["r"])).size, { timeout: 30_000 }).toBe(1);
  storage.back();
  await expect.poll(async () => (await engine.stuck(["r"])).size, { timeout: 20_000 }).toBe(0);
  await engine.signal("r", "go", null, { idempotencyKey: "g" });
  expect((await engine.result("r")).response.content).toBe("signal:go null");
});

it("lets go of a run that waits, and takes it up again when it is answered", async () => {
  let attempts = 0;
  const watch = watchSteps(async (ctx) => {
    attempts++;
    await ctx.next([ctx.step("before", async () => null)]);
    return waiting(ctx, SPEC, {});
  });
  const engine = await engines({ inactivityMs: 300 }).open(watch.driver);
  await begin(engine, "let-go");
  await expect.poll(async () => (await invocation("let-go")).status, { timeout: 20_000 }).toBe("suspended");
  await engine.signal("let-go", "go", 1, { idempotencyKey: "g" });
  expect((await engine.result("let-go")).response.content).toBe("signal:go 1");
  expect([attempts, watch.calls]).toEqual([2, ["let-go/before"]]);
});

it("ends a run under the version that began it, while new ones begin under the next", async () => {
  const version =
    (name: string): DagDriver =>
    async (ctx) => {
      const got = await ctx.next([ctx.step(name, async () => name)]);
      started.resolve();
      await ctx.next([ctx.waitSignal("go")]);
      return outcomeOf(ctx, got.ok ? JSON.stringify(got.value) : got.error.code);
    };
  const started = Promise.withResolvers<void>();
  const { open } = engines();
  const first = await open(version("one"));
  await begin(first, "old");
  await started.promise;
  const second = await open(version("two"), { port: 0 });
  await begin(second, "new");
  for (const runId of ["old", "new"]) await second.signal(runId, "go", 1, { idempotencyKey: "g" });
  expect((await second.result("old")).response.content).toBe('"one"');
  expect((await second.result("new")).response.content).toBe('"two"');
});

it("goes on at another address with a run whose own is gone, when an operator of Restate moves it", async () => {
  const { open } = engines();
  const first = await open(waiting);
  await begin(first, "moved");
  await first.close();
  const second = await open(waiting, { port: 0 });
  await operate("moved", "pause");
  await expect.poll(async () => (await invocation("moved")).status, { timeout: 20_000 }).toBe("paused");
  await operate("moved", "resume?deployment=latest");
  await second.signal("moved", "go", 1, { idempotencyKey: "g" });
  expect((await second.result("moved")).response.content).toBe("signal:go 1");
});

it("ends a run that an operator of Restate killed as failed, and takes a cancel of theirs for one", async () => {
  const { events, open } = engines();
  const engine = await open(waiting);
  await begin(engine, "to-kill");
  await operate("to-kill", "kill");
  expect(await engine.result("to-kill")).toMatchObject({
    outcome: "failed",
    error: { code: "workflow.internal" },
  });
  await expect
    .poll(() => events.events("to-kill").at(-1))
    .toMatchObject({ type: "finish", outcome: "failed" });
  await begin(engine, "to-cancel");
  await operate("to-cancel", "cancel");
  expect((await engine.result("to-cancel")).response.content).toBe(
    'signal:$cancel {"reason":"canceled in Restate"}',
  );
});

it("knows of a run what it was asked, what was answered and how it ended", async () => {
  const engine = await engines().open(waiting);
  await begin(engine);
  await engine.signal("r", "early", { n: 1 }, { idempotencyKey: "e" });
  expect(await engine.recorded("r")).toMatchObject({ spec: SPEC, outcome: null });
  expect(await engine.input("r")).toEqual({ objective: "survive" });
  await engine.signal("r", "go", "it's 5", { idempotencyKey: "g" });
  const outcome = await engine.result("r");
  expect(await engine.recorded("r")).toEqual({
    spec: SPEC,
    input: { objective: "survive" },
    outcome,
    signals: new Map<string, Json>([
      ["early", { n: 1 }],
      ["go", "it's 5"],
    ]),
    journal: [{ name: "signal:go", value: { ok: true, value: "it's 5" } }],
  });
  expect(await engine.signal("r", "late", 1, { idempotencyKey: "late" })).toBe("no-run");
  expect(await engine.signal("r", "go", "it's 5", { idempotencyKey: "g" })).toBe("accepted");
  expect(await engine.recorded("nobody's")).toBeUndefined();
  expect(await engine.input("nobody's")).toBeUndefined();
  expect([...(await engine.stuck(["nobody's"]))]).toEqual([]);
});
