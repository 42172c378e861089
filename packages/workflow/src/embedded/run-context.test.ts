import { silentLog, StoreError, type Log } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { Clock } from "@troupe/stream";
import { expect, it } from "vitest";

import { brokenRun } from "../engine/broken-run.ts";
import { toJson } from "../engine/json.ts";
import type { DagDriver, EngineContext } from "../engine/port.ts";
import { memoryEngine, memoryEventLog, memoryJournal, outcomeOf } from "../testing/index.ts";

const SPEC = { v: 1, name: "w", steps: [], final: "passthrough" } as const;

/** A run taken up by a journal with these entries. */
async function takenUp(entries: readonly string[], driver: DagDriver) {
  const clock = virtualClock();
  const journal = memoryJournal();
  const events = memoryEventLog();
  await journal.addRun({ runId: "r", spec: SPEC, input: { objective: "o" } }, 0);
  for (const [seq, name] of entries.entries())
    await journal.addEntry("r", seq, name, JSON.stringify({ ok: true, value: name }));
  const engine = memoryEngine({ clock, journal, events });
  await engine.register(driver);
  const ended = engine.result("r").catch((error: unknown) => error);
  await clock.advance(0);
  return { clock, journal, events, engine, ended };
}

const one = (ctx: EngineContext) => ctx.next([ctx.step("a", async () => "a")]);

it.each<[string, DagDriver]>([
  [
    "its end is told",
    async (ctx) => {
      await one(ctx);
      ctx.emit("finish", toJson(brokenRun("r").event));
      return outcomeOf(ctx, "done");
    },
  ],
  [
    "it tells no end",
    async (ctx) => {
      await one(ctx);
      return outcomeOf(ctx, "done");
    },
  ],
])(
  "leaves a run open whose journal has steps done that the driver never asks for: %s",
  async (_when, driver) => {
    const { engine, events, ended } = await takenUp(["a", "b"], driver);
    expect(await ended).toMatchObject({
      code: "workflow.journal-mismatch",
      message: expect.stringContaining('"b" next, the driver has come to its end'),
    });
    expect(await engine.recorded("r")).toMatchObject({ outcome: null });
    expect(events.events("r")).toEqual([]);
  },
);

it("ends a run whose journal has more signals and timers, or a step that was asked for and given up", async () => {
  const { ended } = await takenUp(["a", "signal:late", "timer:late", "given-up"], async (ctx) => {
    const step = ctx.step("given-up", async () => "late");
    await one(ctx);
    ctx.abort(step);
    return outcomeOf(ctx, "done");
  });
  expect(await ended).toMatchObject({ response: { content: "done" } });
});

it("takes a recorded timer from the journal, and writes it no second time", async () => {
  const { journal, ended } = await takenUp(["timer:t"], async (ctx) => {
    await ctx.next([ctx.timer("t", 5_000)]);
    return outcomeOf(ctx, "done");
  });
  expect(await ended).toMatchObject({ response: { content: "done" } });
  expect(journal.load("r").timers).toEqual(new Map());
});

it("takes up the next run after one that does not fit", async () => {
  const clock = virtualClock();
  const journal = memoryJournal();
  for (const runId of ["r", "s"]) await journal.addRun({ runId, spec: SPEC, input: { objective: "o" } }, 0);
  await journal.addEntry("r", 0, "another", JSON.stringify({ ok: true, value: null }));
  const engine = memoryEngine({ clock, journal });
  await engine.register(async (ctx) => {
    await one(ctx);
    return outcomeOf(ctx, "done");
  });
  await clock.advance(0);
  expect((await engine.stuck(["r"])).get("r")).toMatchObject({
    code: "workflow.journal-mismatch",
    message: expect.stringContaining('"another" next, the driver waits for a'),
  });
  expect(journal.outcome("s")).toMatchObject({ outcome: "completed" });
});

/** A journal that writes timers once it is told to. */
async function slowTimers() {
  const clock = virtualClock();
  const kept = memoryJournal();
  const writing: PromiseWithResolvers<void>[] = [];
  const loads: string[] = [];
  const journal: typeof kept = {
    ...kept,
    load(runId) {
      loads.push(runId);
      return kept.load(runId);
    },
    async addTimer(...args) {
      const written = Promise.withResolvers<void>();
      writing.push(written);
      await written.promise;
      await kept.addTimer(...args);
    },
  };
  const engine = memoryEngine({ clock, journal });
  await engine.register(async (ctx) => {
    const timer = ctx.timer("t", 60_000);
    await ctx.next([timer, ctx.waitSignal("one")]);
    await ctx.next([timer, ctx.waitSignal("two")]);
    return outcomeOf(ctx, "done");
  });
  await engine.start(SPEC, { objective: "o" }, { runId: "r" });
  await clock.advance(0);
  const tell = async (name: string): Promise<void> => {
    await engine.signal("r", name, null, { idempotencyKey: name });
    await clock.advance(0);
  };
  return { clock, engine, writing, loads, tell };
}

it("lets go of no run before its timers are on disk", async () => {
  const { clock, engine, writing, loads, tell } = await slowTimers();
  await tell("one");
  expect(loads).toEqual(["r"]);
  writing[0]?.resolve();
  await clock.advance(0);
  await tell("two");
  expect(loads).toEqual(["r", "r"]);
  expect((await engine.result("r")).response.content).toBe("done");
});

it("leaves a run open whose timer could not be written, and says why", async () => {
  const { clock, engine, writing } = await slowTimers();
  const ended = engine.result("r").catch((error: unknown) => error);
  writing[0]?.reject(new StoreError("store.full", "the disk is full"));
  await clock.advance(0);
  expect(await ended).toMatchObject({ code: "store.full" });
  expect((await engine.stuck(["r"])).has("r")).toBe(true);
});

it("hands out what came first, a signal from when it is waited for", async () => {
  const gate = Promise.withResolvers<string>();
  const { clock, engine, ended } = await takenUp([], async (ctx) => {
    const step = ctx.step("step", () => gate.promise);
    await ctx.next([ctx.waitSignal("go")]);
    return outcomeOf(ctx, (await ctx.next([step, ctx.waitSignal("early")])).id);
  });
  await engine.signal("r", "early", null, { idempotencyKey: "early" });
  gate.resolve("done");
  await clock.advance(0);
  await engine.signal("r", "go", null, { idempotencyKey: "go" });
  expect(await ended).toMatchObject({ response: { content: "step" } });
});

it("waits until a timer is due, also by a clock that calls early", async () => {
  const clock = virtualClock();
  const hasty: Clock = {
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    schedule: (ms, fn) => clock.schedule(Math.ceil(ms / 2), fn),
  };
  const journal = memoryJournal();
  const engine = memoryEngine({ clock: hasty, journal });
  await engine.register(async (ctx) => {
    await ctx.next([ctx.timer("t", 8_000)]);
    return outcomeOf(ctx, "done");
  });
  await engine.start(SPEC, { objective: "o" }, { runId: "r" });
  await clock.advance(7_999);
  expect(journal.outcome("r")).toBeNull();
  await clock.advance(1);
  expect(journal.outcome("r")).toMatchObject({ outcome: "completed" });
});

it("takes up the next run while one before it is at work, and puts neither on record again", async () => {
  const clock = virtualClock();
  const journal = memoryJournal();
  const log = memoryEventLog();
  const begun: string[] = [];
  const events: typeof log = {
    ...log,
    async begin(run) {
      begun.push(run.runId);
      await log.begin(run);
    },
  };
  for (const runId of ["r", "s"]) {
    await journal.addRun({ runId, spec: SPEC, input: { objective: "o" } }, 0);
    await journal.addEntry(runId, 0, "a", JSON.stringify({ ok: true, value: null }));
  }
  const working: string[] = [];
  const engine = memoryEngine({ clock, journal, events });
  await engine.register(async (ctx) => {
    await one(ctx);
    await ctx.next([
      ctx.step("b", () => {
        working.push(ctx.runId);
        return new Promise(() => undefined);
      }),
    ]);
    return outcomeOf(ctx, "done");
  });
  await clock.advance(0);
  expect(working).toEqual(["r", "s"]);
  expect(begun).toEqual([]);
  await engine.close();
});

it("logs what broke in a step, of which the run is told its kind", async () => {
  const clock = virtualClock();
  const logged: unknown[] = [];
  const log: Log = { ...silentLog, error: (message, fields) => void logged.push([message, fields]) };
  const engine = memoryEngine({ clock, log });
  const broken = new TypeError("secret");
  await engine.register(async (ctx) => {
    const settled = await ctx.next([ctx.step("a", () => Promise.reject(broken))]);
    return outcomeOf(ctx, settled.ok ? "" : settled.error.message);
  });
  await engine.start(SPEC, { objective: "o" }, { runId: "r" });
  expect((await engine.result("r")).response.content).toContain("(TypeError)");
  expect(logged).toEqual([["a step broke", { runId: "r", step: "a", error: broken }]]);
});
