import { getEventListeners } from "node:events";

import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { memoryEngine, outcomeOf } from "../testing/index.ts";
import { openEventLog } from "./event-log.ts";
import { Waiters } from "./waiters.ts";

const CYCLES = 10_000;

it("keeps nothing of ten thousand who came and left, and tells those who stayed", async () => {
  const waiters = new Waiters<number>();
  const lasting = new AbortController();
  const stays = waiters.wait("run", lasting.signal);
  for (let n = 0; n < CYCLES; n++) {
    const leave = new AbortController();
    const left = waiters.wait(n % 2 === 0 ? "run" : `run-${n}`, leave.signal);
    leave.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
  }
  expect(waiters.size).toBe(1);
  waiters.resolve("run", 7);
  expect(await stays).toBe(7);
  expect([waiters.size, getEventListeners(lasting.signal, "abort").length]).toEqual([0, 0]);
});

it("lets nobody wait whose signal has aborted, and keeps who came after the others were told", async () => {
  const waiters = new Waiters<string>();
  await expect(waiters.wait("run", AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
  expect(waiters.size).toBe(0);
  const leave = new AbortController();
  const first = waiters.wait("run", leave.signal);
  waiters.resolve("run", "first");
  const second = waiters.wait("run", undefined);
  leave.abort();
  waiters.resolve("run", "second");
  expect([await first, await second]).toEqual(["first", "second"]);
});

it("tells everybody who asks for a result around the moment of the end, and nobody is left waiting", async () => {
  const clock = virtualClock();
  const engine = memoryEngine({ clock });
  await engine.register(async (ctx) => {
    await ctx.next([ctx.step("a", () => clock.sleep(100).then(() => null))]);
    return outcomeOf(ctx, "done");
  });
  await engine.start(
    { v: 1, name: "n", steps: [], final: "passthrough" },
    { objective: "o" },
    { runId: "r" },
  );
  const ended = clock.advance(1_000);
  const asked: Promise<unknown>[] = [];
  for (let n = 0; n < 500; n++) {
    asked.push(engine.result("r"));
    await Promise.resolve();
  }
  await ended;
  for (const outcome of await Promise.all(asked)) expect(outcome).toMatchObject({ outcome: "completed" });
});

it("keeps nothing of ten thousand who followed the events of a run and left", async () => {
  const clock = virtualClock();
  const log = openEventLog({ path: ":memory:", clock });
  const lasting = new AbortController();
  for (let n = 0; n < CYCLES; n++) {
    const leave = new AbortController();
    const next = log.read("r", { from: 0, signal: leave.signal })[Symbol.asyncIterator]().next();
    leave.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  }
  expect(clock.pending).toBe(0);
  // One signal for all of a reader's waits gathers no listeners.
  const reading = log.read("r", { from: 0, signal: lasting.signal })[Symbol.asyncIterator]().next();
  for (let n = 0; n < 1_000; n++) await clock.advance(250);
  expect(getEventListeners(lasting.signal, "abort")).toHaveLength(1);
  log.close();
  expect(await reading).toEqual({ done: true, value: undefined });
  expect(getEventListeners(lasting.signal, "abort")).toHaveLength(0);
});
