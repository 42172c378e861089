import assert from "node:assert/strict";

import { AgentError } from "@troupe/core";
import { EVENT_VERSION, type AgentEventBody } from "@troupe/stream";

import { toJson } from "../../engine/json.ts";
import type { DagDriver } from "../../engine/port.ts";
import { begin, contentOf, outcomeOf, using, type ContractCase, type EngineHarness } from "./harness.ts";

export const runCases: readonly ContractCase[] = [
  { name: "start is idempotent on the run id", run: startTwice },
  { name: "a run nobody started is known to nobody", run: unknownRun },
  { name: "a driver that breaks ends its run as failed, without internals", run: brokenDriver },
  { name: "waiting again for what was delivered ends the run as failed, not for ever", run: deliveredTwice },
  { name: "events are idempotent on their key and make the view of a run", run: eventsMakeTheView },
  { name: "a waiter that gives up leaves the run alone", run: waiterLeaves },
];

async function startTwice(harness: EngineHarness): Promise<void> {
  let runs = 0;
  const driver: DagDriver = async (ctx) => {
    await ctx.next([ctx.step("only", async () => ++runs)]);
    return outcomeOf(ctx, "once");
  };
  await using(harness, driver, async (engine) => {
    assert.deepEqual(await begin(engine), { created: true });
    assert.deepEqual(await begin(engine), { created: false });
    assert.equal(await contentOf(engine, "r"), "once");
    assert.deepEqual(await begin(engine), { created: false });
    assert.equal(await contentOf(engine, "r"), "once");
    assert.equal(runs, 1);
  });
}

async function unknownRun(harness: EngineHarness): Promise<void> {
  await using(
    harness,
    async (ctx) => outcomeOf(ctx, ""),
    async (engine) => {
      assert.equal(await engine.signal("nobody", "s", 1, { idempotencyKey: "k" }), "no-run");
      assert.equal(await engine.cancel("nobody", "why"), "no-run");
      assert.equal(await engine.get("nobody"), null);
      await assert.rejects(engine.result("nobody"), { code: "input.not-found" });
    },
  );
}

async function brokenDriver(harness: EngineHarness): Promise<void> {
  const driver: DagDriver = async () => Promise.reject(new TypeError("secret path /etc"));
  await using(harness, driver, async (engine) => {
    await begin(engine);
    const outcome = await engine.result("r");
    assert.equal(outcome.outcome, "failed");
    assert.ok(!JSON.stringify(outcome).includes("secret"));
    assert.equal((await engine.get("r"))?.status, "failed");
  });
}

async function deliveredTwice(harness: EngineHarness): Promise<void> {
  const driver: DagDriver = async (ctx) => {
    const once = ctx.step("once", async () => 1);
    await ctx.next([once]);
    await ctx.next([once]);
    return outcomeOf(ctx, "not reached");
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    assert.equal((await engine.result("r")).outcome, "failed");
  });
}

async function eventsMakeTheView(harness: EngineHarness): Promise<void> {
  const driver: DagDriver = async (ctx) => {
    let seq = 0;
    const emit = (key: string, body: AgentEventBody): void =>
      ctx.emit(
        key,
        toJson({ v: EVENT_VERSION, runId: ctx.runId, seq: seq++, attempt: 1, agent: "o", ...body }),
      );
    const step = { id: "a", kind: "agent" as const, agent: "x", instruction: "", dependsOn: [] };
    emit("plan", { type: "plan-update", plan: { name: "contract", steps: [step] } });
    emit("s1", { type: "step-status", step: "a", state: "in_progress" });
    emit("s1", { type: "step-status", step: "a", state: "failed" });
    await ctx.next([ctx.waitSignal("go")]);
    emit("s2", { type: "step-status", step: "a", state: "completed" });
    const outcome = outcomeOf(ctx, "x");
    emit("finish", { type: "finish", outcome: "completed", response: outcome.response, answerItems: [] });
    return outcome;
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    // Two turns of signalling, so the events emitted before the wait have been handed over.
    await engine.signal("r", "unused", 1, { idempotencyKey: "u" });
    const running = await engine.get("r");
    assert.equal(running?.status, "running");
    assert.equal(running?.objective, "contract");
    assert.equal(running?.steps[0]?.state, "in_progress");
    await engine.signal("r", "go", 1, { idempotencyKey: "g" });
    await engine.result("r");
    const ended = await engine.get("r");
    assert.equal(ended?.status, "completed");
    assert.equal(ended?.steps[0]?.state, "completed");
    assert.ok(ended.endedAt !== undefined && ended.endedAt >= ended.createdAt);
  });
}

async function waiterLeaves(harness: EngineHarness): Promise<void> {
  const driver: DagDriver = async (ctx) => {
    await ctx.next([ctx.waitSignal("end")]);
    return outcomeOf(ctx, "ended");
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    const leave = new AbortController();
    const waiting = engine.result("r", { signal: leave.signal });
    leave.abort(new AgentError("agent.timeout", "waited long enough"));
    await assert.rejects(waiting, { code: "agent.timeout" });
    await engine.signal("r", "end", null, { idempotencyKey: "e" });
    assert.equal(await contentOf(engine, "r"), "ended");
  });
}
