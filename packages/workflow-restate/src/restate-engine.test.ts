import { setImmediate } from "node:timers/promises";

import { StoreError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent, Json } from "@troupe/stream";
import type { DagDriver } from "@troupe/workflow";
import { outcomeOf, workflowEngineContract } from "@troupe/workflow/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { end, engines, SPEC, started, waiting } from "./testing/memory-engines.ts";

describe("the engine on Restate, in memory", () => {
  it.each(workflowEngineContract())("$name", async ({ run }) => {
    const { open } = engines();
    await expect(run({ open, longMs: 10 })).resolves.toBeUndefined();
  });
});

/** A step's result as a run keeps it, with an answer of so many characters. */
function keptResult(length: number): Json {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 };
  return {
    stepId: "old",
    agent: "x",
    state: "completed",
    outcome: "completed",
    answer: "x".repeat(length),
    data: null,
    citations: [],
    artifacts: [],
    usage,
    ms: 1,
    keptFrom: "earlier",
    provenance: { attempt: 1, startedAt: 0, endedAt: 1 },
  };
}

it("ends a step that gives too much with an error that says so, and so the one that is too much in all", async () => {
  const { engine, begin } = await started(onTestFinished, async (ctx) => {
    const ends: string[] = [];
    for (const [n, size] of [3, 1.9, 1.9, 1.9, 1.9, 1.9].entries()) {
      const settled = await ctx.next([ctx.step(`s${n}`, async () => "x".repeat(size * 2 ** 20))]);
      ends.push(settled.ok ? "ok" : `${settled.error.code}: ${settled.error.message}`);
    }
    return outcomeOf(ctx, ends.join("\n"));
  });
  await begin();
  const [large, ...others] = (await engine.result("r")).response.content.split("\n");
  expect(large).toBe(
    'workflow.too-large: "s0" ended with 3.2 MB, of at most 2.1 MB. Hand on what is large as a file.',
  );
  expect(others).toEqual([
    "ok",
    "ok",
    "ok",
    "ok",
    expect.stringMatching(/^workflow.too-large: with "s5" the run/),
  ]);
});

it("begins a run that keeps results only where it has room for one of its own", async () => {
  let asked = 0;
  const { engine } = await started(onTestFinished, async (ctx) => {
    const settled = await ctx.next([
      ctx.step("new", async () => {
        asked += 1;
        return "x".repeat(0.9 * 2 ** 20);
      }),
    ]);
    return outcomeOf(ctx, settled.ok ? "has room" : settled.error.message);
  });
  const begin = (runId: string, mib: number) =>
    engine.start(SPEC, { objective: "o", kept: { old: keptResult(mib * 2 ** 20) } }, { runId });
  await begin("most", 6.99);
  expect((await engine.result("most")).response.content).toBe("has room");
  for (const mib of [7.1, 7.9, 8.1])
    await expect(begin(`over-${mib}`, mib)).rejects.toMatchObject({
      code: "input.too-large",
      message: expect.stringMatching(
        /^the results kept of the earlier run are [78]\.\d MB, of at most 7\.4 MB; begin it at an earlier step/,
      ),
    });
  expect(asked).toBe(1);
});

it("refuses a name that is used twice, and one that was never begun", async () => {
  const twice = await started(onTestFinished, async (ctx) => {
    ctx.step("a", async () => 1);
    await ctx.next([ctx.step("a", async () => 2)]);
    return outcomeOf(ctx, "not reached");
  });
  const again = await started(onTestFinished, async (ctx) => {
    for (let n = 0; n < 2; n++) await ctx.next([ctx.step("a", async () => n)]);
    return outcomeOf(ctx, "not reached");
  });
  const never = await started(onTestFinished, async (ctx) => {
    await ctx.next([{ id: "a" }]);
    return outcomeOf(ctx, "not reached");
  });
  for (const { engine, begin } of [twice, again, never]) {
    await begin();
    expect((await engine.result("r")).outcome).toBe("failed");
  }
});

it("leaves a run open whose storage refuses, says so, and goes on with it when asked to", async () => {
  let full = true;
  const { engine, begin } = await started(onTestFinished, async (ctx, spec, input) => {
    if (full) throw new StoreError("store.full", "the disk is full");
    return waiting(ctx, spec, input);
  });
  await begin();
  await expect.poll(async () => (await engine.stuck(["r", "s"])).size).toBe(1);
  expect((await engine.stuck(["r"])).get("r")).toMatchObject({ code: "workflow.internal" });
  full = false;
  expect(await engine.resume("r")).toBe("resumed");
  expect(await engine.resume("r")).toBe("at-work");
  await engine.signal("r", "go", 1, { idempotencyKey: "g" });
  expect((await engine.result("r")).response.content).toBe("1");
  expect(await engine.resume("r")).toBe("no-run");
});

it("knows how a run ended as soon as its end is told", async () => {
  const clock = virtualClock();
  const told = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const driver: DagDriver = async (ctx) => {
    ctx.emit("finish", end(ctx.runId, ""));
    return outcomeOf(ctx, "done");
  };
  const { events, engine, begin } = await started(onTestFinished, driver, clock);
  events.kept = () => {
    told.resolve();
    return stored.promise;
  };
  await begin();
  await told.promise;
  expect(await engine.get("r")).toMatchObject({ status: "completed" });
  const late = engine.recorded("r");
  const seen = engine.recorded("r");
  stored.resolve();
  expect((await seen)?.outcome?.response.content).toBe("done");
  expect((await late)?.outcome?.response.content).toBe("done");
});

it("says of a run whose end was told by an attempt that is gone that it has not ended", async () => {
  const clock = virtualClock();
  const told = Promise.withResolvers<void>();
  const { events, engine, begin } = await started(
    onTestFinished,
    async (ctx) => {
      ctx.emit("finish", end(ctx.runId, ""));
      return outcomeOf(ctx, "done");
    },
    clock,
  );
  events.kept = () => {
    told.resolve();
    return new Promise(() => undefined);
  };
  await begin();
  await told.promise;
  const recorded = engine.recorded("r");
  await clock.advance(10_000);
  expect(await recorded).toMatchObject({ spec: SPEC, outcome: null });
});

it("tells how a run ended that Restate has forgotten by what it told, and of one that told nothing that there is none", async () => {
  const { restate, engine, begin } = await started(onTestFinished, async (ctx) => {
    ctx.emit("finish", end(ctx.runId, "done"));
    return outcomeOf(ctx, "done");
  });
  await begin();
  await engine.result("r");
  restate.forget("r");
  expect(await engine.result("r")).toMatchObject({ outcome: "completed", response: { content: "done" } });
  expect(await engine.recorded("r")).toBeUndefined();
  await expect(engine.result("s")).rejects.toMatchObject({ code: "input.not-found" });
});

it("waits for a log that is away when a run begins, however long, and begins it once", async () => {
  const { events, engine, begin } = await started(onTestFinished, waiting);
  const known = events.begin.bind(events);
  let refused = 0;
  events.begin = async (run) => {
    if (++refused < 1_000) throw new StoreError("store.io", "the database is away");
    await known(run);
  };
  // Whoever starts it hears of that; the run is there all the same.
  await expect(begin()).rejects.toMatchObject({ code: "store.io" });
  await engine.signal("r", "go", 1, { idempotencyKey: "g" });
  expect((await engine.result("r")).response.content).toBe("1");
  expect(await engine.stuck(["r"])).toEqual(new Map());
  expect(refused).toBe(1_000);
});

it("tells of a run what is kept of it, also of one that is only begun", async () => {
  const { engine, begin } = await started(onTestFinished, waiting);
  await begin();
  await engine.signal("r", "early", { n: 1 }, { idempotencyKey: "e" });
  const known = { spec: SPEC, input: { objective: "o" } };
  expect(await engine.recorded("r")).toMatchObject({ ...known, outcome: null });
  expect(await engine.input("r")).toEqual({ objective: "o" });
  await engine.signal("r", "go", null, { idempotencyKey: "g" });
  const outcome = await engine.result("r");
  const signals = new Map<string, unknown>([
    ["early", { n: 1 }],
    ["go", null],
  ]);
  const journal = [{ name: "signal:go", value: { ok: true, value: null } }];
  expect(await engine.recorded("r")).toEqual({ ...known, outcome, signals, journal });
  expect(await engine.signal("r", "late", 1, { idempotencyKey: "l" })).toBe("no-run");
  expect([await engine.recorded("s"), await engine.input("s")]).toEqual([undefined, undefined]);
});

it("waits until events are kept before a run has ended", async () => {
  const { events, engine, begin } = await started(onTestFinished, waiting);
  const asked = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  events.kept = () => {
    asked.resolve();
    return stored.promise;
  };
  await begin();
  await engine.signal("r", "go", 1, { idempotencyKey: "g" });
  await asked.promise;
  expect(await engine.recorded("r")).toMatchObject({ outcome: null });
  stored.resolve();
  expect((await engine.result("r")).response.content).toBe("1");
});

/** A run that tells its end, on a log that loses it so many times. */
async function forgetful(times: number) {
  const refuses = { times };
  let attempts = 0;
  const parts = await started(onTestFinished, async (ctx) => {
    attempts++;
    ctx.emit("finish", end(ctx.runId, "done"));
    return outcomeOf(ctx, "done");
  });
  const append = parts.events.append.bind(parts.events);
  parts.events.append = (runId, key, event) => {
    if (event.type !== "finish" || refuses.times-- <= 0) append(runId, key, event);
  };
  return { ...parts, refuses, attempts: () => attempts };
}

it("has not ended before its log says so, and tells it again when it is resumed", async () => {
  const { engine, events, begin, attempts } = await forgetful(1);
  await begin();
  await expect.poll(async () => (await engine.stuck(["r"])).size).toBe(1);
  expect(await engine.recorded("r")).toMatchObject({ outcome: null });
  expect(await engine.resume("r")).toBe("resumed");
  expect((await engine.result("r")).response.content).toBe("done");
  expect(events.events("r").map(({ type }) => type)).toEqual(["finish"]);
  expect(attempts()).toBe(2);
});

it("lets go of whoever follows a run that has ended and whose log lost the end, and brings back none that is forgotten", async () => {
  const { engine, events, begin } = await started(onTestFinished, waiting);
  await begin();
  await engine.signal("r", "go", 1, { idempotencyKey: "g" });
  const followed: AgentEvent[] = [];
  const following = (async () => {
    for await (const { event } of events.read("r", { from: 0, signal: new AbortController().signal }))
      followed.push(event);
  })();
  const view = events.view.bind(events);
  let isForgotten = true;
  events.view = async (runId) => (isForgotten ? null : view(runId));
  await engine.result("r");
  await setImmediate();
  isForgotten = false;
  expect(await events.end("r")).toBe(0);
  const { response } = await engine.result("r");
  await following;
  expect(followed).toMatchObject([{ type: "finish", outcome: "completed", response }]);
});

it("has a run on record from its start on, also when whoever started it was gone at once", async () => {
  const { restate, events, open } = engines();
  const engine = await open();
  onTestFinished(() => engine.close());
  await engine.start(SPEC, { objective: "o" }, { runId: "waits" });
  expect(await engine.get("waits")).toMatchObject({ objective: "o", status: "running" });
  await restate.ingress.submit("orphan", { spec: SPEC, input: { objective: "p" } });
  expect(await engine.get("orphan")).toBeNull();
  await engine.register(async (ctx) => outcomeOf(ctx, "done"));
  await engine.result("orphan");
  expect(await events.view("orphan")).toMatchObject({ objective: "p" });
});

it("takes a run that an operator of Restate killed for one that has failed", async () => {
  const { restate, events, engine, begin } = await started(onTestFinished, waiting);
  await begin();
  restate.kill("r");
  expect(await engine.signal("r", "go", 1, { idempotencyKey: "g" })).toBe("no-run");
  expect(await engine.cancel("r", "enough")).toBe("no-run");
  expect(await engine.resume("r")).toBe("no-run");
  expect(await engine.recorded("r")).toMatchObject({ spec: SPEC, outcome: { outcome: "failed" } });
  expect(await engine.result("r")).toMatchObject({ outcome: "failed" });
  await expect.poll(() => events.events("r")).toHaveLength(1);
  expect(events.events("r")).toMatchObject([{ type: "finish", outcome: "failed" }]);
  expect(await begin()).toEqual({ created: false });
});
