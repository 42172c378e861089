import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, type Log } from "@troupe/core";
import { gate, virtualClock, type VirtualClock } from "@troupe/core/testing";
import { EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";

import { createDagDriver } from "../driver/create-dag-driver.ts";
import type { RunLog } from "../engine/run-log.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { scriptedGateway, type ScriptedGateway } from "../testing/index.ts";
import { openStorage, type Storage } from "./database.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { openEngineOn } from "./engine.ts";
import { openEventTable } from "./event-log.ts";
import { openJournal } from "./journal.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-full-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** What a log is told; `refused` once that is that something could not be kept. */
function listening() {
  const refused = gate();
  const told: string[] = [];
  const log: Log = {
    ...silentLog,
    warn: (message) => {
      told.push(message);
      refused.open();
    },
    info: (message) => told.push(message),
    error: (message) => told.push(message),
  };
  return { log, told, refused: refused.opened };
}

/** A disk that can be full: SQLite then says so of whatever makes the file grow. */
const diskOf = ({ db }: Storage) => ({
  // No smaller than the file is.
  fill: () => db.exec("PRAGMA max_page_count=1"),
  free: () => db.exec("PRAGMA max_page_count=1000000"),
});

function opened(clock: VirtualClock) {
  const { log, ...heard } = listening();
  const storage = openStorage(join(folder, "runs.db"));
  const events = openEventTable(storage, { clock, log });
  const journal = openJournal(storage);
  const close = (): void => {
    events.close();
    journal.close();
  };
  return { ...heard, ...diskOf(storage), storage, events, journal, close };
}

const event = (seq: number, body: AgentEventBody, runId = "r"): AgentEvent => ({
  ...({ v: EVENT_VERSION, runId, seq, attempt: 1, agent: "a" } as const),
  ...body,
});
const delta = (seq: number, chars = 2_000, runId = "r"): AgentEvent =>
  event(seq, { type: "text-delta", itemId: "t", delta: "x".repeat(chars) }, runId);

/** The numbers of what a run's log has. */
async function seqsOf(log: RunLog, runId: string): Promise<readonly number[]> {
  const end = await log.end(runId);
  const seqs: number[] = [];
  if (end === 0) return seqs;
  for await (const one of log.read(runId, { from: 0, signal: new AbortController().signal })) {
    seqs.push(one.event.seq);
    if (one.position + 1 === end) break;
  }
  return seqs;
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

it("keeps what a full disk refuses, each event once and in its place, and who watches sees it once there is room", async () => {
  const clock = virtualClock();
  const { events, told, refused, fill, free, close } = opened(clock);
  await events.begin({ runId: "r", name: "w", objective: "o" });
  fill();
  for (const seq of upTo(20)) events.append("r", `k${seq}`, delta(seq));
  await refused;
  const watched: number[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    for await (const one of events.read("r", { from: 0, signal: stop.signal })) watched.push(one.event.seq);
  })();
  // What comes now waits behind it, and what waits is told no second time.
  for (const seq of [19, 20, 21]) events.append("r", `k${seq}`, delta(seq));
  let drained = false;
  const waiting = events.drained?.("r").then(() => (drained = true));
  await clock.advance(60_000);
  expect([await events.end("r"), drained]).toEqual([0, false]);
  free();
  await clock.advance(2_000);
  await waiting;
  expect(await seqsOf(events, "r")).toEqual(upTo(22));
  expect(told).toEqual(["events could not be kept; they wait and are tried again", "events are kept again"]);
  events.append("r", "k22", delta(22));
  await clock.advance(250);
  expect(watched).toEqual(upTo(23));
  stop.abort();
  await watching;
  close();
});

it("journals nothing of a run before what it told is kept, and holds up no other run for it", async () => {
  const clock = virtualClock();
  const { events, journal, refused, fill, free, close } = opened(clock);
  for (const runId of ["r", "other"]) {
    await events.begin({ runId, name: "w", objective: "o" });
    events.append(runId, "k0", delta(0, 10, runId));
    await journal.addEntry(runId, 0, "begin", '{"ok":true,"value":1}');
  }
  fill();
  events.append("r", "k1", delta(1, 1_000_000));
  // Of the same transaction as the event, and after it.
  const before = ["s1", "s2"].map((name, n) => journal.addEntry("r", n + 1, name, '{"ok":true,"value":1}'));
  const others = journal.addEntry("other", 1, "s1", '{"ok":true,"value":1}');
  for (const entry of before) await expect(entry).rejects.toMatchObject({ code: "store.full" });
  await others;
  await refused;
  events.append("other", "k1", delta(1, 10, "other"));
  expect(await seqsOf(events, "other")).toEqual([0, 1]);
  free();
  // Nobody has tried it again yet: it is kept with what is journaled after it.
  await journal.addEntry("r", 1, "s1", '{"ok":true,"value":1}');
  expect(await seqsOf(events, "r")).toEqual([0, 1]);
  await clock.advance(2_000);
  expect(await seqsOf(events, "r")).toEqual([0, 1]);
  close();
});

it("says of what waits at its end that it is lost to this process, and of what SQLite never takes that it is not kept", async () => {
  const clock = virtualClock();
  const { events, storage, told, refused, fill, close } = opened(clock);
  storage.db.exec(
    "CREATE TEMP TRIGGER no BEFORE INSERT ON main.event WHEN NEW.key = 'never' BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  for (const key of ["a", "never", "b"]) events.append("r", key, delta(key === "a" ? 0 : 1, 10));
  expect(await seqsOf(events, "r")).toEqual([0, 1]);
  fill();
  events.append("r", "large", delta(2, 1_000_000));
  await refused;
  close();
  await clock.advance(60_000);
  expect(told).toEqual([
    "an event was not kept: the database does not take it",
    "events could not be kept; they wait and are tried again",
    "events were not kept",
  ]);
});

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
