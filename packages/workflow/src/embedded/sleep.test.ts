import { virtualClock } from "@troupe/core/testing";
import type { Json } from "@troupe/stream";
import { expect, it } from "vitest";

import type { DagDriver, Settled } from "../engine/port.ts";
import { memoryEngine, memoryEventLog, memoryJournal, outcomeOf } from "../testing/index.ts";

const SPEC = { v: 1, name: "w", steps: [], final: "passthrough" } as const;
const MINUTE = 60_000;
const word = (settled: Settled): string =>
  settled.ok && typeof settled.value === "string" ? settled.value : "?";

/** An engine whose loads of a run's rows can be counted. */
async function opened(driver: DagDriver, kept = memoryJournal()) {
  const clock = virtualClock();
  const loads: string[] = [];
  const journal = {
    ...kept,
    load(runId: string) {
      loads.push(runId);
      return kept.load(runId);
    },
  };
  const events = memoryEventLog(() => clock.now());
  const engine = memoryEngine({ clock, journal, events });
  await engine.register(driver);
  const begin = async (runId: string): Promise<void> => {
    await engine.start(SPEC, { objective: "o" }, { runId });
    await clock.advance(0);
  };
  const tell = (runId: string, name: string, value: Json) =>
    engine.signal(runId, name, value, { idempotencyKey: `${name}-${JSON.stringify(value)}` });
  return { clock, engine, events, kept, loads, begin, tell };
}

it("lets go of a run that waits for a signal, and takes it up where it was when one comes", async () => {
  let done = 0;
  const { clock, engine, loads, begin, tell } = await opened(async (ctx) => {
    await ctx.next([ctx.step("before", async () => ++done)]);
    const said = await ctx.next([ctx.waitSignal("go")]);
    return outcomeOf(ctx, word(said));
  });
  await begin("r");
  const outcome = engine.result("r");
  expect(clock.pending).toBe(0);
  expect(await tell("r", "go", "said")).toBe("accepted");
  expect((await outcome).response.content).toBe("said");
  expect([done, loads]).toEqual([1, ["r", "r"]]);
});

it("wakes it for a signal nobody waits for yet, which it finds later", async () => {
  const { engine, begin, tell } = await opened(async (ctx) => {
    await ctx.next([ctx.waitSignal("first")]);
    const said = await ctx.next([ctx.waitSignal("second")]);
    return outcomeOf(ctx, word(said));
  });
  await begin("r");
  expect(await tell("r", "second", "early")).toBe("accepted");
  expect(await tell("r", "second", "another")).toBe("duplicate");
  await tell("r", "first", null);
  expect((await engine.result("r")).response.content).toBe("early");
});

it("wakes it when the first of its timers is due, and holds on to one that is due soon", async () => {
  const { clock, engine, loads, begin } = await opened(async (ctx) => {
    const first = await ctx.next([ctx.timer("long", MINUTE), ctx.timer("longer", 60 * MINUTE)]);
    const second = await ctx.next([ctx.timer("short", 5_000)]);
    return outcomeOf(ctx, `${first.id} ${second.id}`);
  });
  await begin("r");
  await clock.advance(MINUTE - 1);
  expect(loads).toHaveLength(1);
  await clock.advance(1);
  expect(loads).toHaveLength(2);
  await clock.advance(5_000);
  expect((await engine.result("r")).response.content).toBe("timer:long timer:short");
  expect(loads).toHaveLength(2);
  expect(clock.pending).toBe(0);
});

it("does not let go of one whose step runs or has run and is not told of, also if it waits for a signal only", async () => {
  let runs = 0;
  const slow = Promise.withResolvers<Json>();
  const { engine, loads, begin, tell } = await opened(async (ctx) => {
    const step = ctx.step("slow", async () => {
      runs++;
      return slow.promise;
    });
    await ctx.next([ctx.waitSignal("one")]);
    await ctx.next([ctx.waitSignal("two")]);
    const settled = await ctx.next([step]);
    return outcomeOf(ctx, word(settled));
  });
  await begin("r");
  await tell("r", "one", null);
  slow.resolve("kept");
  await tell("r", "two", null);
  expect((await engine.result("r")).response.content).toBe("kept");
  expect([runs, loads.length]).toEqual([1, 1]);
});

it("lets go of one whose steps were all given up, and does not begin them again", async () => {
  let runs = 0;
  const { engine, loads, begin, tell } = await opened(async (ctx) => {
    const step = ctx.step("given-up", async () => ++runs);
    ctx.abort(step);
    const said = await ctx.next([ctx.waitSignal("go")]);
    return outcomeOf(ctx, word(said));
  });
  await begin("r");
  await tell("r", "go", "on");
  expect((await engine.result("r")).response.content).toBe("on");
  expect([runs, loads.length]).toEqual([0, 2]);
});

it("keeps when it was taken up over any sleep, and tells its timer the same moment", async () => {
  const at: (number | undefined)[] = [];
  const { clock, engine, begin, tell } = await opened(async (ctx) => {
    at.push(ctx.takenUpAt);
    const timer = ctx.timer("deadline", 10 * MINUTE);
    await ctx.next([timer, ctx.waitSignal("unused")]);
    return outcomeOf(ctx, "over");
  });
  const began = clock.now();
  await begin("r");
  for (let times = 0; times < 3; times++) {
    await clock.advance(MINUTE);
    await tell("r", `x${times}`, null);
    await clock.advance(0);
  }
  await clock.advance(7 * MINUTE - 1);
  expect((await engine.get("r"))?.status).toBe("running");
  await clock.advance(1);
  expect((await engine.result("r")).response.content).toBe("over");
  expect(at).toEqual([began, began, began, began, began]);
});

it("answers for a run that was cut off also while runs are still being taken up", async () => {
  const driver: DagDriver = async (ctx) => {
    const said = await ctx.next([ctx.waitSignal("go")]);
    return outcomeOf(ctx, word(said));
  };
  const first = await opened(driver);
  for (const runId of ["a", "b", "c"]) await first.begin(runId);
  await first.engine.close();
  const second = await opened(driver, first.kept);
  expect(await second.tell("c", "go", "asked for")).toBe("accepted");
  expect((await second.engine.result("c")).response.content).toBe("asked for");
  await second.clock.advance(0);
  expect(second.loads.toSorted()).toEqual(["a", "b", "c"]);
  await second.tell("a", "go", "later");
  expect((await second.engine.result("a")).response.content).toBe("later");
});

it("takes no run for one that was never planned that was cut off while it was begun", async () => {
  const kept = memoryJournal();
  const first = await opened(async (ctx) => outcomeOf(ctx, "never"), kept);
  await first.events.begin({ runId: "r", name: "", objective: "o" });
  await kept.addRun({ runId: "r", spec: SPEC, input: { objective: "o" } }, 0);
  await first.engine.close();
  const events = first.events;
  const clock = virtualClock();
  const engine = memoryEngine({ clock, journal: kept, events });
  await engine.register(async (ctx) => outcomeOf(ctx, "done"));
  expect((await engine.result("r")).response.content).toBe("done");
  expect(await engine.get("r")).toMatchObject({ name: "w", status: "running" });
  expect(events.events("r")).toEqual([]);
});

it("ends what was planned when its process ended, unless it is asked for again", async () => {
  const events = memoryEventLog();
  for (const runId of ["lost", "asked-again"]) await events.begin({ runId, name: "", objective: "o" });
  const engine = memoryEngine({ events, askedAgain: new Set(["asked-again"]) });
  await engine.register(async (ctx) => outcomeOf(ctx, "done"));
  expect(await engine.get("lost")).toMatchObject({ status: "failed" });
  expect(await engine.get("asked-again")).toMatchObject({ status: "planning" });
  await engine.start(SPEC, { objective: "o" }, { runId: "asked-again" });
  expect((await engine.result("asked-again")).response.content).toBe("done");
});
