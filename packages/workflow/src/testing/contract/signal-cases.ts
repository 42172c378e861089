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
