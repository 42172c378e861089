import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { silentLog } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE, EVENT_VERSION, NO_USAGE } from "@troupe/stream";
import { afterEach, beforeEach, expect, it } from "vitest";

import { eventsSoFar } from "../engine/events-so-far.ts";
import { endEvent } from "../engine/run-end.ts";
import { outcomeOf } from "../testing/index.ts";
import { Compactor, type KeepRuns } from "./compactor.ts";
import { openStorage } from "./database.ts";
import { openEmbeddedEngine } from "./engine.ts";
import { openEventTable } from "./event-log.ts";
import { openJournal } from "./journal.ts";

const DAY = 86_400_000;
const OUTCOME = { v: 1, runId: "", outcome: "completed", response: EMPTY_RESPONSE } as const;
const SPEC = { v: 1, name: "w", steps: [], final: "passthrough" } as const;
const BY_ID = ["run", "run_index", "run_number"];
const BY_RUN = ["signal", "signal_answer", "timer", "forgotten"];
/** Numbers of runs that have lost their names stand for themselves. */
const BY_NUMBER = ["journal", "event"];

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-compact-"));
});
afterEach(() => rm(folder, { recursive: true }));

function opened(keep: KeepRuns = {}, name = "runs.db") {
  const path = join(folder, name);
  const clock = virtualClock();
  const storage = openStorage(path);
  const journal = openJournal(storage);
  const events = openEventTable(storage, { clock });
  const compactor = new Compactor(storage, { clock, log: silentLog, keep });
  const ended = { ...OUTCOME, steps: [], citations: [], artifacts: [], usage: NO_USAGE };
  const tell = (runId: string, count: number): void => {
    for (let seq = 0; seq < count; seq++) {
      const event = { v: EVENT_VERSION, runId, seq, attempt: 1, agent: "o" } as const;
      events.append(runId, `k${seq}`, { ...event, type: "text-delta", itemId: "t", delta: "x".repeat(500) });
    }
  };
  /** A run of so many events and entries; one without a time has not ended. */
  const add = async (runId: string, endedAt: number | undefined, size = 3): Promise<void> => {
    await journal.addRun({ runId, spec: SPEC, input: { objective: "o" } }, clock.now());
    await events.begin({ runId, name: "w", objective: "o" });
    tell(runId, size);
    await Promise.all(
      Array.from({ length: size }, (_, seq) =>
        journal.addEntry(runId, seq, `s${seq}`, '{"ok":true,"value":1}'),
      ),
    );
    await journal.addTimer(runId, "t", 1);
    await journal.addSignal(runId, "s", 1, "key");
    if (endedAt !== undefined) await journal.endRun(runId, { ...ended, runId }, endedAt);
  };
  /** Ids of the runs of which anything is left, in any table. */
  const left = (): readonly string[] => {
    const sql = [
      ...BY_ID.map((table) => `SELECT id FROM ${table}`),
      ...BY_RUN.map((table) => `SELECT run AS id FROM ${table}`),
      ...BY_NUMBER.map(
        (table) => `SELECT COALESCE(id, run) AS id FROM ${table} LEFT JOIN run_number ON number = run`,
      ),
    ];
    return storage.db
      .prepare(`${sql.join(" UNION ")} ORDER BY id`)
      .all()
      .map(({ id }) => String(id));
  };
  const close = (): void => {
    compactor.close();
    storage.group.close();
  };
  return { path, clock, storage, journal, events, compactor, add, left, close };
}

it("forgets a run that has ended with all its rows, and nothing of another", async () => {
  const { compactor, add, left, journal, close } = opened();
  await add("a", 1, 1_200);
  await add("b", 1);
  await add("open", undefined);
  expect(await compactor.forget("a")).toBe("forgotten");
  expect(left()).toEqual(["b", "open"]);
  expect(await compactor.forget("open")).toBe("open");
  expect(await compactor.forget("a")).toBe("no-run");
  expect(left()).toEqual(["b", "open"]);
  // Its name is free again.
  expect(await journal.addRun({ runId: "a", spec: SPEC, input: {} }, 2)).toBe(true);
  expect(journal.load("a").entries).toEqual([]);
  close();
});

it("lets others write between its transactions, and goes on with what a killed process left", async () => {
  const first = opened();
  await first.add("a", 1, 3_000);
  await first.add("b", 1);
  const forgetting = first.compactor.forget("a").catch((error: unknown) => error);
  await first.add("c", undefined);
  // Some of it is gone and some is not; it is on no list any more, and its name is not free.
  const rowsOf = "SELECT COUNT(*) AS n FROM event JOIN run_number ON number = run WHERE id = 'a'";
  const rows = first.storage.db.prepare(rowsOf).get()?.["n"];
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(3_000);
  expect(await first.events.view("a")).toBeNull();
  expect(await first.journal.addRun({ runId: "a", spec: SPEC, input: {} }, 2)).toBe(false);
  first.close();
  expect(await forgetting).toMatchObject({ code: "store.io" });

  const second = opened();
  expect(second.left()).toEqual(["a", "b", "c"]);
  await second.compactor.sweep();
  expect(second.left()).toEqual(["b", "c"]);
  second.close();
});

it("leaves nothing of a run that is forgotten while somebody asks how it ended, nor its place to another", async () => {
  const path = join(folder, "runs.db");
  const engine = openEmbeddedEngine({ path });
  await engine.register(async (ctx, _spec, input) => {
    for (let n = 0; n < 1_200; n++) await ctx.next([ctx.step(`s${n}`, async () => n)]);
    const outcome = outcomeOf(ctx, `answer to ${JSON.stringify(input)}`);
    ctx.emit("finish", JSON.parse(JSON.stringify(endEvent(outcome))));
    return outcome;
  });
  await engine.start(SPEC, { objective: "a" }, { runId: "a" });
  await engine.result("a");
  const forgetting = { over: false };
  const forgotten = engine.forget("a").finally(() => (forgetting.over = true));
  const told: string[] = [];
  while (!forgetting.over) {
    await engine.result("a").then(
      ({ response }) => told.push(response.content),
      (error: Error) => told.push(error.message),
    );
    // A turn of the event loop: its transactions are real ones.
    await engine.events.begin({ runId: "x", name: "x", objective: "" });
  }
  expect(await forgotten).toBe("forgotten");
  expect(told.at(-1)).not.toContain("answer");
  await engine.start(SPEC, { objective: "b" }, { runId: "b" });
  const { response } = await engine.result("b");
  const events = await eventsSoFar(engine.events, "b");
  expect(events.map(({ event }) => event)).toMatchObject([{ type: "finish", response }]);
  await engine.close();
  const db = new DatabaseSync(path);
  const numbers = db.prepare(
    "SELECT id, (SELECT COUNT(*) FROM event WHERE run = number) AS n FROM run_number",
  );
  expect(numbers.all()).toMatchObject([{ id: "b", n: 1 }]);
  expect(db.prepare("SELECT COUNT(DISTINCT run) AS n FROM event").get()).toMatchObject({ n: 1 });
  db.close();
});

it("lets go of whoever follows a run that is forgotten", async () => {
  const { events, add, compactor, clock, close } = opened();
  await add("a", 1);
  const { signal } = new AbortController();
  const seen: string[] = [];
  let forgotten: Promise<unknown> = Promise.resolve();
  const followed = (async () => {
    for await (const { key } of events.read("a", { from: 0, signal })) {
      seen.push(key);
      if (seen.length === 3) forgotten = compactor.forget("a");
    }
  })();
  while (seen.length < 3) await events.begin({ runId: "x", name: "x", objective: "" });
  await forgotten;
  await clock.advance(1_000);
  await followed;
  expect(seen).toEqual(["k0", "k1", "k2"]);
  close();
});

it("never gives the number of a run to another", async () => {
  const { storage, add, compactor, close } = opened();
  const numberOf = (id: string) =>
    storage.db.prepare("SELECT number FROM run_number WHERE id = ?").get(id)?.["number"];
  await add("a", 1);
  const first = Number(numberOf("a"));
  await compactor.forget("a");
  await add("b", 1);
  expect(numberOf("b")).toBeGreaterThan(first);
  close();
});

it("forgets what ended longer ago than is kept, also what never came as far as a workflow", async () => {
  const { clock, compactor, add, events, left, close } = opened({ ms: 30 * DAY });
  const now = clock.now();
  await add("old", now - 31 * DAY);
  await add("young", now - 29 * DAY);
  await add("open", undefined);
  await events.begin({ runId: "refused", name: "", objective: "o" });
  await events.begin({ runId: "planning", name: "", objective: "o" });
  const head = { v: EVENT_VERSION, runId: "refused", seq: 0, attempt: 1, agent: "o" } as const;
  const end = { type: "finish", outcome: "failed", response: EMPTY_RESPONSE, answerItems: [] } as const;
  events.append("refused", "finish", { ...head, ...end });
  expect(await compactor.sweep()).toBe(1);
  expect(left()).toEqual(["open", "planning", "refused", "young"]);
  await clock.advance(30 * DAY + 1);
  expect(await compactor.sweep()).toBe(2);
  expect(left()).toEqual(["open", "planning"]);
  close();
});

it("forgets the oldest first when the file is too large, and gives its space back to the disk", async () => {
  const { path, compactor, storage, add, left, close } = opened({ bytes: 1_200_000 });
  for (let at = 0; at < 5; at++) await add(`r${at}`, 100 - at, 1_000);
  await add("open", undefined);
  storage.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const before = statSync(path).size;
  expect(before).toBeGreaterThan(3_000_000);
  await compactor.sweep();
  expect(left()).toEqual(["open", "r0"]);
  storage.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  expect(statSync(path).size).toBeLessThan(before);
  close();
});

it("makes a file of an earlier version shrinkable", async () => {
  const path = join(folder, "earlier.db");
  const raw = new DatabaseSync(path);
  raw.exec("PRAGMA journal_mode=WAL; CREATE TABLE other (n)");
  raw.close();
  const engine = openEmbeddedEngine({ path });
  const vacuum = (): unknown => {
    const db = new DatabaseSync(path);
    try {
      return db.prepare("PRAGMA auto_vacuum").get()?.["auto_vacuum"];
    } finally {
      db.close();
    }
  };
  expect(vacuum()).toBe(2);
  await engine.close();
});

it("does not let the log of writes grow for ever over somebody who read for long", async () => {
  const { path, add, storage, close } = opened();
  await add("a", undefined);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec("BEGIN; SELECT COUNT(*) FROM event");
  const blob = storage.db.prepare(
    "INSERT INTO run_index VALUES (?, '', hex(zeroblob(500000)), 1, NULL, NULL)",
  );
  for (let at = 0; at < 40; at++) blob.run(`big${at}`);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(36_000_000);
  reader.exec("COMMIT");
  reader.close();
  for (let at = 0; at < 3; at++) await add(`after${at}`, undefined);
  expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(32 * 1024 * 1024);
  close();
});

it("sweeps by itself, a while after it was opened and then every hour", async () => {
  const path = join(folder, "runs.db");
  const clock = virtualClock();
  const engine = openEmbeddedEngine({ path, clock, keep: { ms: DAY } });
  await engine.register(async (ctx) => outcomeOf(ctx, "done"));
  await engine.start(SPEC, { objective: "o" }, { runId: "r" });
  await engine.result("r");
  await clock.advance(DAY);
  expect(await engine.recorded("r")).toBeDefined();
  await clock.advance(2 * 3_600_000);
  // Its transactions are real ones.
  while ((await engine.recorded("r")) !== undefined)
    await engine.events.begin({ runId: "x", name: "x", objective: "" });
  await engine.close();
  expect(clock.pending).toBe(0);
});
