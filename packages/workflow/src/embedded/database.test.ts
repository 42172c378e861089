import { statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { EVENT_VERSION } from "@troupe/stream";
import { afterEach, beforeEach, expect, it } from "vitest";

import { outcomeOf } from "../testing/index.ts";
import { openStorage, toStoreError } from "./database.ts";
import { openEmbeddedEngine } from "./engine.ts";
import { openEventLog, openEventTable } from "./event-log.ts";
import { openJournal } from "./journal.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-db-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("survives a power cut with its journal, which takes no events with it: WAL, and FULL for the journal alone", async () => {
  const storage = openStorage(join(folder, "deep", "er", "j.sqlite"));
  const { db, group } = storage;
  const synchronous = () => db.prepare("PRAGMA synchronous").get()?.["synchronous"];
  expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 5 });
  await openJournal(storage).addTimer("r", "t", 1);
  expect(synchronous()).toBe(2);
  await openEventTable(storage, {}).begin({ runId: "r", name: "n", objective: "" });
  expect(synchronous()).toBe(1);
  group.close();
});

it("is for nobody else to read, its folder and companions neither", () => {
  const path = join(folder, "home", "j.sqlite");
  const { group } = openStorage(path);
  const modes = [join(folder, "home"), path, `${path}-wal`].map((name) => statSync(name).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600, 0o600]);
  group.close();
});

it("refuses a file of a later version, one that is no journal and a folder, and says what to do", async () => {
  const later = join(folder, "later.sqlite");
  const db = new DatabaseSync(later);
  db.exec("PRAGMA user_version=99");
  db.close();
  expect(() => openEmbeddedEngine({ path: later })).toThrow(/has version 99, this program reads up to 5/);
  const text = join(folder, "text.sqlite");
  await writeFile(text, "this is not a database, it is a page of text ".repeat(50));
  expect(() => openEmbeddedEngine({ path: text })).toThrow(/is not a journal; move it away/);
  expect(() => openEmbeddedEngine({ path: folder })).toThrow(expect.objectContaining({ code: "store.io" }));
});

it("refuses an empty file, which has lost what it held, and says what to do", async () => {
  const path = join(folder, "empty.sqlite");
  await writeFile(path, "");
  expect(() => openEmbeddedEngine({ path })).toThrow(
    expect.objectContaining({
      code: "store.corrupt",
      message: `"${path}" is empty (0 bytes): what it held is gone. Restore it from a backup, or delete it to start anew.`,
    }),
  );
  expect(statSync(path).size).toBe(0);
});

it("says of a file with a damaged page, also where it is only read, that it is damaged and what to do", async () => {
  const path = join(folder, "damaged.sqlite");
  const whole = openStorage(path);
  await openEventTable(whole, {}).begin({ runId: "r", name: "n", objective: "" });
  const pageOf = "SELECT rootpage FROM sqlite_master WHERE name = 'run_index'";
  const page = Number(whole.db.prepare(pageOf).get()?.["rootpage"]);
  whole.group.close();
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0xab, (page - 1) * 4096, page * 4096));
  const log = openEventLog({ path });
  await expect(log.runs()).rejects.toMatchObject({
    code: "store.corrupt",
    message: `the journal ${path} is damaged; restore it or move it away to start anew`,
  });
  log.close();
});

it.each(["v1", "v2", "v3", "v4"])(
  "takes over a file of version %s, with whose each run is",
  async (version) => {
    const path = join(folder, "first.sqlite");
    const first = new DatabaseSync(path);
    first.exec(await readFile(new URL(`corpus/journal-${version}.sql`, import.meta.url), "utf8"));
    first.close();
    const log = openEventLog({ path });
    const runs = await log.runs();
    expect(runs.map(({ runId, userId, status }) => [runId, userId, status])).toEqual([
      ["nobodys", undefined, "running"],
      ["of-ann", "ann", "running"],
    ]);
    await log.begin({ runId: "next", name: "n", objective: "z", threadId: "t" });
    expect((await log.runs({ threadId: "t" })).map(({ runId }) => runId)).toEqual(["next"]);
    log.close();
    const again = openStorage(path);
    expect(again.db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 5 });
    again.group.close();
  },
);

it("takes over entries and events of a file of version v4, and writes behind them", async () => {
  const path = join(folder, "first.sqlite");
  const first = new DatabaseSync(path);
  first.exec(await readFile(new URL("corpus/journal-v4.sql", import.meta.url), "utf8"));
  first.close();
  const storage = openStorage(path);
  const journal = openJournal(storage);
  const log = openEventTable(storage, {});
  expect(journal.load("nobodys").entries).toHaveLength(1);
  expect(journal.load("of-ann")).toMatchObject({
    entries: [{ name: "first" }, { name: "second", value: { ok: true, value: "x" } }],
    timers: new Map([["wait", 7]]),
  });
  await journal.addEntry("of-ann", 2, "third", "{}");
  expect(journal.load("of-ann").entries.map(({ name }) => name)).toEqual(["first", "second", "third"]);
  await expect(journal.addEntry("of-ann", 2, "again", "{}")).rejects.toMatchObject({ code: "store.io" });
  const head = { v: EVENT_VERSION, runId: "of-ann", seq: 0, attempt: 1, agent: "o" } as const;
  for (const key of ["two", "three"])
    log.append("of-ann", key, { ...head, type: "text-delta", itemId: "t", delta: key });
  expect(await log.end("of-ann")).toBe(3);
  expect(await log.end("before-its-run")).toBe(1);
  const reading = new AbortController();
  const told: unknown[] = [];
  for await (const { position, key, at } of log.read("of-ann", { from: 1, signal: reading.signal })) {
    told.push([position, key, at === 6]);
    if (position === 2) reading.abort();
  }
  expect(told).toEqual([
    [1, "two", true],
    [2, "three", false],
  ]);
  log.close();
  journal.close();
});

it("knows a full disk from other trouble", () => {
  expect(toStoreError({ errcode: 13 }, "the journal").code).toBe("store.full");
  expect(toStoreError({ errcode: 0x0a0a }, "the journal").code).toBe("store.io");
  expect(toStoreError(new Error("?"), "the journal").code).toBe("store.io");
});

it("stops a run whose journal cannot grow, tells its waiter, and goes on with it at the next start", async () => {
  const path = join(folder, "j.sqlite");
  const spec = { v: 1, name: "w", steps: [], final: "passthrough" } as const;
  const first = openEmbeddedEngine({ path });
  await first.register(async (ctx) => {
    const raw = new DatabaseSync(path);
    raw.exec("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    raw.close();
    await ctx.next([ctx.step("a", async () => "a")]);
    return outcomeOf(ctx, "not reached");
  });
  await first.start(spec, { objective: "o" }, { runId: "r" });
  await expect(first.result("r")).rejects.toMatchObject({ code: "store.io" });
  expect((await first.get("r"))?.status).toBe("running");
  const stuck = await first.stuck(["r", "another"]);
  expect([...stuck]).toEqual([["r", expect.objectContaining({ code: "store.io" })]]);
  await first.close();

  const raw = new DatabaseSync(path);
  raw.exec("DROP TRIGGER full");
  raw.close();
  const second = openEmbeddedEngine({ path });
  await second.register(async (ctx) => {
    await ctx.next([ctx.step("a", async () => "a")]);
    return outcomeOf(ctx, "done");
  });
  expect((await second.result("r")).response.content).toBe("done");
  await second.close();
});

it("leaves a run open whose journal does not fit the driver", async () => {
  const path = join(folder, "j.sqlite");
  const spec = { v: 1, name: "w", steps: [], final: "passthrough" } as const;
  const first = openEmbeddedEngine({ path });
  const there = Promise.withResolvers<void>();
  await first.register(async (ctx) => {
    await ctx.next([ctx.step("old-name", async () => 1)]);
    there.resolve();
    await ctx.next([ctx.waitSignal("more")]);
    return outcomeOf(ctx, "");
  });
  await first.start(spec, { objective: "o" }, { runId: "r" });
  await there.promise;
  await first.close();
  const second = openEmbeddedEngine({ path });
  await second.register(async (ctx) => {
    await ctx.next([ctx.step("new-name", async () => 1)]);
    return outcomeOf(ctx, "");
  });
  await expect(second.result("r")).rejects.toMatchObject({ code: "workflow.journal-mismatch" });
  await second.close();
});
