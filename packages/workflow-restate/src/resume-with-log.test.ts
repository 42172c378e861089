import { StoreError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { DagDriver } from "@troupe/workflow";
import { outcomeOf } from "@troupe/workflow/testing";
import { expect, it, onTestFinished } from "vitest";

import { awayLog } from "./testing/away-log.ts";
import { end, started, waiting } from "./testing/memory-engines.ts";

it.each(["begins", "tells its end", "ends"])(
  "goes on by itself with a run that Restate paused as it waited for its log when it %s",
  async (when) => {
    const clock = virtualClock();
    const driver: DagDriver = async (ctx) => {
      ctx.emit("finish", end(ctx.runId, "done"));
      if (when === "tells its end") await events.kept?.();
      return outcomeOf(ctx, "done");
    };
    const { restate, events, engine, begin } = await started(onTestFinished, driver, clock);
    const storage = awayLog(events);
    if (when === "begins") storage.away();
    const back = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    events.kept = () => {
      storage.away();
      asked.resolve();
      return back.promise;
    };
    await begin().catch(() => undefined);
    if (when !== "begins") await asked.promise;
    restate.pause("r");
    await clock.advance(3_600_000);
    expect([...(await engine.stuck(["r"])).keys()]).toEqual(["r"]);
    storage.back();
    delete events.kept;
    back.resolve();
    await clock.advance(10_000);
    expect((await engine.result("r")).response.content).toBe("done");
    expect(events.events("r")).toHaveLength(1);
  },
);

/** A run that Restate has paused as it waited for its log, which is back; Restate shows that from `shownAt` on. */
async function cutOff() {
  const clock = virtualClock();
  const { restate, events, engine, begin } = await started(
    onTestFinished,
    async (ctx) => outcomeOf(ctx, "done"),
    clock,
  );
  const storage = awayLog(events);
  storage.away();
  await begin().catch(() => undefined);
  await clock.advance(0);
  const { admin } = restate;
  const known = admin.halted.bind(admin);
  const from = clock.now();
  const looks = { shownAt: 0, at: [] as number[] };
  admin.halted = async (runIds) => {
    looks.at.push(clock.now() - from);
    return clock.now() - from < looks.shownAt ? [] : known(runIds);
  };
  storage.back();
  restate.pause("r");
  return { clock, restate, events, engine, looks };
}

it.each([0, 1, 500, 100_000])(
  "goes on by itself with a run that Restate shows as paused only after %i ms",
  async (shownAt) => {
    const { clock, engine, looks } = await cutOff();
    looks.shownAt = shownAt;
    await clock.advance(200_000);
    expect((await engine.result("r")).response.content).toBe("done");
    expect(clock.pending).toBe(0);
  },
);

it("looks at a run that goes on at work for two minutes, less and less often, and not once the engine is closed", async () => {
  const { clock, looks } = await cutOff();
  looks.shownAt = Infinity;
  await clock.advance(3_600_000);
  expect(looks.at).toEqual([1_000, 3_000, 7_000, 15_000, 31_000, 63_000, 123_000]);
  const closed = await cutOff();
  closed.looks.shownAt = Infinity;
  await closed.clock.advance(5_000);
  await closed.engine.close();
  expect(closed.clock.pending).toBe(0);
  await closed.clock.advance(3_600_000);
  expect(closed.looks.at).toEqual([1_000, 3_000]);
});

it("looks anew at a run that is cut off again while it is looked at", async () => {
  const { clock, restate, engine, events, looks } = await cutOff();
  looks.shownAt = Infinity;
  await clock.advance(100_000);
  // Somebody else had it go on meanwhile, and its log was away again.
  const storage = awayLog(events);
  storage.away();
  await restate.admin.resume("r");
  await clock.advance(0);
  storage.back();
  restate.pause("r");
  looks.shownAt = 200_000;
  await clock.advance(300_000);
  expect((await engine.result("r")).response.content).toBe("done");
});

it.each([1, 100])("resumes a run also where Restate could not be asked to %i times", async (times) => {
  const { clock, restate, engine } = await cutOff();
  const resume = restate.admin.resume.bind(restate.admin);
  let asked = 0;
  restate.admin.resume = async (invocationId) => {
    if (++asked <= times) throw new StoreError("store.io", "Restate is away", { retryable: true });
    await resume(invocationId);
  };
  await clock.advance(times * 60_000);
  expect((await engine.result("r")).response.content).toBe("done");
  expect(asked).toBe(times + 1);
});

it("goes on by itself with a run that Restate pauses again and again while its log is only read", async () => {
  const { clock, restate, engine, events } = await cutOff();
  const known = events.begin.bind(events);
  let refused = 0;
  events.begin = async () => {
    refused++;
    throw new StoreError("store.full", "the disk is full");
  };
  for (let n = 1; n <= 3; n++) {
    await clock.advance(1_000_000);
    expect(await engine.stuck(["r"])).toEqual(new Map());
    restate.pause("r");
  }
  expect(refused).toBeGreaterThan(3);
  events.begin = known;
  await clock.advance(10_000);
  expect((await engine.result("r")).response.content).toBe("done");
});

it("leaves a run alone that Restate paused while it waited for something else", async () => {
  const clock = virtualClock();
  const { restate, engine, begin } = await started(onTestFinished, waiting, clock);
  await begin();
  await clock.advance(0);
  restate.pause("r");
  await clock.advance(3_600_000);
  expect([...(await engine.stuck(["r"])).keys()]).toEqual(["r"]);
});
