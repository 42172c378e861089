import assert from "node:assert/strict";

import { AgentError } from "@troupe/core";

import { toJson } from "../../engine/json.ts";
import type { DagDriver, Settled } from "../../engine/port.ts";
import {
  begin,
  contentOf,
  never,
  outcomeOf,
  show,
  using,
  type ContractCase,
  type EngineHarness,
} from "./harness.ts";

export const stepCases: readonly ContractCase[] = [
  { name: "an error is a value and ends nobody else's work", run: errorsAreValues },
  { name: "a value comes out as it was journaled", run: plainJson },
  { name: "a step given up is aborted while the run goes on", run: abortOne },
  { name: "a step that takes long ends once, and what arrives meanwhile is heard", run: longStep },
];

async function errorsAreValues(harness: EngineHarness): Promise<void> {
  const runs: string[] = [];
  const ours = new AgentError("agent.unreachable", "cannot reach it", { retryable: true });
  const driver: DagDriver = async (ctx) => {
    const sibling = ctx.step("sibling", async () => runs.push("sibling"));
    const bad = ctx.step("bad", async () => Promise.reject(ours));
    const worse = ctx.step("worse", async () => Promise.reject(new TypeError("secret path /etc")));
    const seen = new Map<string, Settled>();
    const running = new Map([sibling, bad, worse].map((pending) => [pending.id, pending]));
    for (let [first, ...rest] = running.values(); first; [first, ...rest] = running.values()) {
      const settled = await ctx.next([first, ...rest]);
      running.delete(settled.id);
      seen.set(settled.id, settled);
    }
    return outcomeOf(ctx, JSON.stringify([seen.get("bad"), seen.get("worse")]));
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    const [bad, worse] = JSON.parse(await contentOf(engine, "r")) as readonly Settled[];
    const error = { code: "agent.unreachable", message: "cannot reach it", retryable: true };
    assert.deepEqual(bad, { id: "bad", ok: false, error });
    assert.ok(worse && !worse.ok && !worse.error.message.includes("secret") && !worse.error.retryable);
    assert.deepEqual(runs, ["sibling"]);
  });
}

async function plainJson(harness: EngineHarness): Promise<void> {
  const driver: DagDriver = async (ctx) => {
    const value = { kept: 1, list: [null, "é\u2028"], when: toJson(new Date(0)) };
    const got = await ctx.next([ctx.step("value", async () => value)]);
    return outcomeOf(
      ctx,
      JSON.stringify(got.ok && got.value) + typeof (got.ok && (got.value as { when: unknown }).when),
    );
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    assert.equal(
      await contentOf(engine, "r"),
      '{"kept":1,"list":[null,"é\u2028"],"when":"1970-01-01T00:00:00.000Z"}string',
    );
  });
}

async function abortOne(harness: EngineHarness): Promise<void> {
  const aborted = Promise.withResolvers<string>();
  const driver: DagDriver = async (ctx) => {
    const slow = ctx.step("slow", async ({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve("aborted"), { once: true });
      return never(signal);
    });
    const limit = ctx.timer("limit", 5);
    const first = await ctx.next([slow, limit]);
    ctx.abort(slow);
    const told = await ctx.next([ctx.step("after", async () => aborted.promise)]);
    return outcomeOf(
      ctx,
      `${first.id === limit.id ? "timer" : "step"} ${told.ok ? JSON.stringify(told.value) : ""}`,
    );
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    assert.equal(await contentOf(engine, "r"), 'timer "aborted"');
  });
}

async function longStep(harness: EngineHarness): Promise<void> {
  let runs = 0;
  const due = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const driver: DagDriver = async (ctx) => {
    const long = ctx.step("long", async () => {
      runs++;
      await heard.promise;
      return "done";
    });
    const seen = [await ctx.next([long, ctx.timer("meanwhile", harness.longMs ?? 5)])];
    due.resolve();
    seen.push(await ctx.next([long, ctx.waitSignal("go")]));
    heard.resolve();
    seen.push(await ctx.next([long]));
    return outcomeOf(ctx, seen.map(show).join(" "));
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    await due.promise;
    assert.equal(await engine.signal("r", "go", 1, { idempotencyKey: "g" }), "accepted");
    assert.equal(await contentOf(engine, "r"), 'timer:meanwhile=null signal:go=1 long="done"');
  });
  assert.equal(runs, 1);
}
