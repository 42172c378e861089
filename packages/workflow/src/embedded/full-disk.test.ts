import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { virtualClock, type VirtualClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE } from "@troupe/stream";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";

import { createDagDriver } from "../driver/create-dag-driver.ts";
import { toJson } from "../engine/json.ts";
import { END_KEY, endEvent } from "../engine/run-end.ts";
import type { RunLog } from "../engine/run-log.ts";
import type { RunOutcome } from "../engine/run.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { delta, diskOf, listening } from "../testing/full-disk.ts";
import { scriptedGateway, type ScriptedGateway } from "../testing/index.ts";
import { openStorage } from "./database.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { openEngineOn } from "./engine.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-full-"));
});
afterEach(() => rm(folder, { recursive: true }));

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

const STEPS = [
  { id: "a", agent: "a", instruction: "do a" },
  { id: "b", agent: "b", instruction: "do b", depends_on: ["a"] },
];
const SPEC = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", steps: STEPS }));
const LONG = upTo(50).map((seq) => delta(seq, 5_000));

async function engineOn(gateway: ScriptedGateway, clock: VirtualClock) {
  const { log, refused } = listening();
  const storage = openStorage(join(folder, "runs.db"));
  const engine = openEngineOn(storage, { clock, log });
  onTestFinished(() => engine.close());
  await engine.register(createDagDriver({ gateway, eventLog: engine.events, clock }));
  return { engine, refused, disk: diskOf(storage) };
}

/** What comes of it, as time goes on. */
async function inTime<T>(clock: VirtualClock, given: Promise<T>): Promise<T> {
  const watched = { over: false };
  const over = (): void => {
    watched.over = true;
  };
  given.then(over, over);
  while (!watched.over) await clock.advance(100);
  return given;
}

/** What each step told, in order, and the numbers of the run's own events. */
async function toldBy(log: RunLog) {
  const seqs: Record<string, number[]> = { run: [] };
  for await (const { event: one } of log.read("r", { from: 0, signal: new AbortController().signal }))
    (seqs[one.stepId ?? "run"] ??= []).push(one.seq);
  return seqs;
}

/** A run whose disk is full when the first of two agents tells more than may wait. */
async function filled() {
  const clock = virtualClock();
  const gateway = scriptedGateway((_, agent) => ({ events: agent === "a" ? LONG : [] }), clock);
  const { engine, disk, refused } = await engineOn(gateway, clock);
  disk.fill();
  await inTime(clock, engine.start(SPEC, { objective: "o" }, { runId: "r" }));
  const ended = engine.result("r").catch((error: unknown) => error);
  await refused;
  return {
    clock,
    gateway,
    engine,
    disk,
    /** What who waits for the run is told in the end, and after how long. */
    heard: async () => {
      const began = clock.now();
      return { error: await inTime(clock, ended), ms: clock.now() - began };
    },
    /** What is there in the end. */
    found: async (last: EmbeddedEngine) => {
      const { outcome } = await inTime(clock, last.result("r"));
      const { run = [], a } = await inTime(clock, toldBy(last.events));
      const calls = gateway.calls.map(({ agent }) => agent);
      return { outcome, calls, a, gaps: run.filter((seq, n) => seq !== n) };
    },
  };
}

const WHOLE = { outcome: "completed", calls: ["a", "b"], a: upTo(50), gaps: [] };

it("waits for a moment in which the disk takes nothing, and has every event then", async () => {
  const { clock, engine, disk, found } = await filled();
  await clock.advance(5_000);
  disk.free();
  expect(await found(engine)).toEqual(WHOLE);
});

it("says of a run whose disk stays full that it cannot go on, and has every event once it is resumed", async () => {
  const { engine, disk, heard, found } = await filled();
  const { error, ms } = await heard();
  expect(error).toMatchObject({ code: "store.full" });
  expect(ms).toBeLessThan(15_000);
  disk.free();
  expect(await engine.resume("r")).toBe("resumed");
  expect(await found(engine)).toEqual(WHOLE);
});

it("has every event of a run once the next process has taken it up, though this one could not keep them", async () => {
  const { clock, gateway, engine, heard, found } = await filled();
  await heard();
  await engine.close();
  const next = await engineOn(gateway, clock);
  expect(await found(next.engine)).toEqual(WHOLE);
});

/** A run whose disk is full when it tells how it ended. */
async function filledAtItsEnd() {
  const clock = virtualClock();
  const { log, refused } = listening();
  const storage = openStorage(join(folder, "runs.db"));
  const disk = diskOf(storage);
  let filled = false;
  const engine = openEngineOn(storage, { clock, log });
  onTestFinished(() => engine.close());
  await engine.register(async (ctx) => {
    const response = { ...EMPTY_RESPONSE, content: "x".repeat(1_000_000) };
    const outcome = { runId: ctx.runId, outcome: "completed", response } as RunOutcome;
    if (!filled) disk.fill();
    filled = true;
    ctx.emit(END_KEY, toJson(endEvent(outcome)));
    return outcome;
  });
  await engine.start(SPEC, { objective: "o" }, { runId: "r" });
  const ended = engine.result("r").catch((error: unknown) => error);
  await refused;
  return { clock, engine, disk, ended };
}

it("waits with the end of a run for a moment in which the disk takes nothing", async () => {
  const { clock, engine, disk, ended } = await filledAtItsEnd();
  await clock.advance(5_000);
  expect((await engine.stuck(["r"])).size).toBe(0);
  disk.free();
  expect(await inTime(clock, ended)).toMatchObject({ outcome: "completed" });
});

it("says of a run that only its end is refused, and ends it by itself once that is kept", async () => {
  const { clock, engine, disk, ended } = await filledAtItsEnd();
  expect(await inTime(clock, ended)).toMatchObject({ code: "store.full" });
  expect((await engine.stuck(["r"])).size).toBe(1);
  disk.free();
  while ((await engine.stuck(["r"])).size > 0) await clock.advance(100);
  expect(await inTime(clock, engine.result("r"))).toMatchObject({ outcome: "completed" });
  expect((await engine.get("r"))?.status).toBe("completed");
});
