import assert from "node:assert/strict";

import type { DagDriver } from "../../engine/port.ts";
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
import { watchSteps } from "../watch-steps.ts";

export const replayCases: readonly ContractCase[] = [
  {
    name: "after a cut in the last step the replay equals and nothing finished is redone",
    run: replayEquals,
  },
  { name: "descending durations with follow-ups survive a cut after every entry", run: cutEverywhere },
  { name: "a step given up before a cut does not run again after it", run: noGhosts },
  { name: "many runs cut off at once all end", run: manyRuns },
];

async function replayEquals(harness: EngineHarness): Promise<void> {
  const runs: string[] = [];
  const traces: string[][] = [];
  const inLast = Promise.withResolvers<void>();
  let cut = true;
  const driver: DagDriver = async (ctx) => {
    const trace: string[] = [];
    traces.push(trace);
    for (const id of ["a", "b", "c"]) {
      const settled = await ctx.next([ctx.step(id, async () => `${id}${runs.push(id)}`)]);
      trace.push(show(settled));
    }
    const last = ctx.step("last", async ({ signal }) => {
      if (!cut) return "end";
      inLast.resolve();
      return never(signal);
    });
    trace.push(show(await ctx.next([last])));
    return outcomeOf(ctx, trace.join(" "));
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    await inLast.promise;
  });
  cut = false;
  await using(harness, driver, async (engine) => {
    assert.equal(await contentOf(engine, "r"), 'a="a1" b="b2" c="c3" last="end"');
  });
  assert.deepEqual(runs, ["a", "b", "c"]);
  assert.deepEqual(traces[1]?.slice(0, 3), traces[0]);
}

/** x0..x5 with falling durations, each with a follow-up: what broke engines that number by call order. */
function fallingDriver(onSettled: (count: number) => unknown): DagDriver {
  return async (ctx) => {
    const run = (id: string) => ctx.step(id, async () => id);
    const running = new Map<string, ReturnType<typeof run>>();
    const add = (pending: ReturnType<typeof run>) => running.set(pending.id, pending);
    const after = new Map<string, string>();
    for (let n = 0; n <= 5; n++) {
      const timer = ctx.timer(`wait${n}`, (5 - n) * 2);
      after.set(timer.id, `x${n}`);
      add(timer);
    }
    const done: string[] = [];
    for (let [first, ...rest] = running.values(); first; [first, ...rest] = running.values()) {
      const settled = await ctx.next([first, ...rest]);
      running.delete(settled.id);
      const follow = after.get(settled.id);
      if (follow !== undefined) add(run(follow));
      else {
        done.push(settled.id);
        if (settled.id.startsWith("x")) add(run(`y${settled.id.slice(1)}`));
      }
      onSettled(done.length);
    }
    return outcomeOf(ctx, done.toSorted().join(" "));
  };
}

const ALL = "x0 x1 x2 x3 x4 x5 y0 y1 y2 y3 y4 y5";

async function cutEverywhere(harness: EngineHarness): Promise<void> {
  let onSettled: (count: number) => unknown = () => undefined;
  const watch = watchSteps(fallingDriver((count) => onSettled(count)));
  for (let cutAt = 0; cutAt <= 12; cutAt++) {
    const there = Promise.withResolvers<void>();
    onSettled = (count) => count >= cutAt && there.resolve();
    await using(harness, watch.driver, async (engine) => {
      await begin(engine);
      await Promise.race([there.promise, engine.result("r")]);
    });
  }
  await using(harness, watch.driver, async (engine) => {
    assert.equal(await contentOf(engine, "r"), ALL);
  });
  // A cut may fall between a step's work and its entry, so a step under way may run again; none is left out.
  assert.equal(new Set(watch.calls).size, 12);
  assert.deepEqual(watch.redone, []);
}

async function noGhosts(harness: EngineHarness): Promise<void> {
  let ghosts = 0;
  const inLast = Promise.withResolvers<void>();
  let cut = true;
  const driver: DagDriver = async (ctx) => {
    const slow = ctx.step("slow", ({ signal }) => {
      ghosts++;
      return never(signal);
    });
    await ctx.next([slow, ctx.timer("limit", 5)]);
    ctx.abort(slow);
    const last = ctx.step("last", async ({ signal }) => {
      if (!cut) return "end";
      inLast.resolve();
      return never(signal);
    });
    await ctx.next([last]);
    return outcomeOf(ctx, "done");
  };
  await using(harness, driver, async (engine) => {
    await begin(engine);
    await inLast.promise;
  });
  cut = false;
  await using(harness, driver, async (engine) => {
    assert.equal(await contentOf(engine, "r"), "done");
  });
  assert.equal(ghosts, 1);
}

async function manyRuns(harness: EngineHarness): Promise<void> {
  let settled = 0;
  const half = Promise.withResolvers<void>();
  const watch = watchSteps(fallingDriver(() => ++settled > 100 && half.resolve()));
  const ids = Array.from({ length: 32 }, (_, index) => `run-${index}`);
  await using(harness, watch.driver, async (engine) => {
    await Promise.all(ids.map((runId) => begin(engine, runId)));
    await half.promise;
  });
  await using(harness, watch.driver, async (engine) => {
    const contents = await Promise.all(ids.map((runId) => contentOf(engine, runId)));
    assert.deepEqual(new Set(contents), new Set([ALL]));
  });
  assert.deepEqual(watch.redone, []);
}
