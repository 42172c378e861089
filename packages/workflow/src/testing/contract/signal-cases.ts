import assert from "node:assert/strict";

import type { DagDriver } from "../../engine/port.ts";
import {
  begin,
  contentOf,
  never,
  outcomeOf,
  using,
  type ContractCase,
  type EngineHarness,
} from "./harness.ts";

export const signalCases: readonly ContractCase[] = [
  { name: "a signal sent before its wait is kept, and takes one value", run: earlySignal },
  { name: "the same idempotency key gets the first answer again", run: sameKey },
  { name: "cancel is delivered with its reason, once", run: cancelOnce },
  { name: "cancel reaches the step that runs within a second", run: cancelReaches },
];

async function earlySignal(harness: EngineHarness): Promise<void> {
  const gate = Promise.withResolvers<void>();
  const driver: DagDriver = async (ctx) => {
    await ctx.next([ctx.step("gate", async () => gate.promise.then(() => null))]);
    const got = await ctx.next([ctx.waitSignal("reply")]);
    return outcomeOf(ctx, JSON.stringify(got.ok && got.value));
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    assert.equal(await engine.signal("r", "reply", { n: 1 }, { idempotencyKey: "a" }), "accepted");
    assert.equal(await engine.signal("r", "reply", { n: 2 }, { idempotencyKey: "b" }), "duplicate");
    gate.resolve();
    assert.equal(await contentOf(engine, "r"), '{"n":1}');
  });
}

async function sameKey(harness: EngineHarness): Promise<void> {
  const driver: DagDriver = async (ctx) => {
    await ctx.next([ctx.waitSignal("end")]);
    return outcomeOf(ctx, "ended");
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    assert.equal(await engine.signal("r", "x", 1, { idempotencyKey: "k" }), "accepted");
    assert.equal(await engine.signal("r", "x", 1, { idempotencyKey: "k" }), "accepted");
    assert.equal(await engine.signal("r", "x", 1, { idempotencyKey: "l" }), "duplicate");
    assert.equal(await engine.signal("r", "x", 1, { idempotencyKey: "l" }), "duplicate");
    await engine.signal("r", "end", null, { idempotencyKey: "e" });
    assert.equal(await contentOf(engine, "r"), "ended");
  });
}

async function cancelOnce(harness: EngineHarness): Promise<void> {
  const driver: DagDriver = async (ctx) => {
    const canceled = ctx.waitSignal("$cancel");
    const slow = ctx.step("slow", ({ signal }) => never(signal));
    const got = await ctx.next([slow, canceled]);
    ctx.abort(slow);
    return outcomeOf(ctx, got.id === canceled.id && got.ok ? JSON.stringify(got.value) : "the step");
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    assert.equal(await engine.cancel("r", "enough"), "accepted");
    assert.equal(await contentOf(engine, "r"), '{"reason":"enough"}');
  });
}

async function cancelReaches(harness: EngineHarness): Promise<void> {
  let running = Promise.withResolvers<void>();
  let toldAt = 0;
  const took: number[] = [];
  const driver: DagDriver = async (ctx) => {
    const canceled = ctx.waitSignal("$cancel");
    const slow = ctx.step("slow", async ({ signal }) => {
      running.resolve();
      await never(signal).catch(() => undefined);
      took.push(performance.now() - toldAt);
      return null;
    });
    await ctx.next([slow, canceled]);
    ctx.abort(slow);
    await ctx.next([slow]);
    return outcomeOf(ctx, "told");
  };
  await using(harness, driver, async (engine) => {
    for (const runId of ["r", "s", "t"]) {
      running = Promise.withResolvers();
      await begin(engine, runId);
      await running.promise;
      toldAt = performance.now();
      assert.equal(await engine.cancel(runId, "enough"), "accepted");
      assert.equal(await contentOf(engine, runId), "told");
    }
  });
  assert.equal(took.length, 3);
  // The best of three: the machine may be busy, the way it goes is not.
  assert.ok(Math.min(...took) < 1_000, `the step heard of it after ${Math.min(...took)} ms`);
}
