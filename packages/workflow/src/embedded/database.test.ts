import { statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterEach, beforeEach, expect, it } from "vitest";

import { outcomeOf } from "../testing/index.ts";
import { openDatabase, query, toStoreError } from "./database.ts";
import { openEmbeddedEngine } from "./engine.ts";
import { openEventLog } from "./event-log.ts";
import { GroupCommit } from "./group-commit.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-db-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("survives a power cut by default: WAL and synchronous FULL", () => {
  const db = openDatabase(join(folder, "deep", "er", "j.sqlite"), "FULL");
  expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(db.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
  db.close();
});

it("is for nobody else to read, its folder and companions neither", () => {
  const path = join(folder, "home", "j.sqlite");
  const db = openDatabase(path, "FULL");
  const modes = [join(folder, "home"), path, `${path}-wal`].map((name) => statSync(name).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600, 0o600]);
  db.close();
});

it("refuses a file of a later version, one that is no journal and a folder, and says what to do", async () => {
  const later = join(folder, "later.sqlite");
  const db = new DatabaseSync(later);
  db.exec("PRAGMA user_version=99");
  db.close();
  expect(() => openEmbeddedEngine({ path: later })).toThrow(/has version 99, this program reads up to 2/);
  const text = join(folder, "text.sqlite");
  await writeFile(text, "this is not a database, it is a page of text ".repeat(50));
  expect(() => openEmbeddedEngine({ path: text })).toThrow(/is not a journal; move it away/);
  expect(() => openEmbeddedEngine({ path: folder })).toThrow(expect.objectContaining({ code: "store.io" }));
});

it("takes over a file of the first version, with whose each run is", async () => {
  const path = join(folder, "first.sqlite");
  const first = new DatabaseSync(path);
  first.exec(await readFile(new URL("corpus/journal-v1.sql", import.meta.url), "utf8"));
  first.close();
  const log = openEventLog({ path });
  const runs = await log.runs();
  expect(runs.map(({ runId, userId, status }) => [runId, userId, status])).toEqual([
    ["nobodys", undefined, "running"],
    ["of-ann", "ann", "running"],
  ]);
  log.close();
  const again = openDatabase(path, "FULL");
  expect(again.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
  again.close();
});

it("knows a full disk from other trouble", () => {
  expect(toStoreError({ errcode: 13 }, "the journal").code).toBe("store.full");
  expect(toStoreError({ errcode: 0x0a0a }, "the journal").code).toBe("store.io");
  expect(toStoreError(new Error("?"), "the journal").code).toBe("store.io");
});

/** A table of unique numbers, and a group on it. */
function numbers() {
  const db = openDatabase(":memory:", "FULL");
  db.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
  const insert = query(db, "INSERT INTO t VALUES (?)");
  const stored = () =>
    query<{ n: number }>(db, "SELECT n FROM t")
      .all()
      .map(({ n }) => n);
  return { db, group: new GroupCommit(db), insert, stored };
}

it("commits a turn's work as one group, in which a bad write fails alone", async () => {
  const { db, group, insert, stored } = numbers();
  const good = [1, 2, 3].map((n) => group.run(() => insert.run(n)));
  expect(await Promise.all(good)).toEqual([1, 1, 1]);
  const half = group.run(() => insert.run(5) + insert.run(1));
  const mixed = [4, 1, 6].map((n) => group.run(() => insert.run(n)));
  const settled = await Promise.allSettled([half, ...mixed]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
  expect(settled[0]).toMatchObject({ reason: { code: "store.io" } });
  expect(stored()).toEqual([1, 2, 3, 4, 6]);
  db.close();
});

it("tells nobody in a group that it is stored when the whole transaction is lost", async () => {
  const { db, group, insert, stored } = numbers();
  const writes = [
    group.run(() => insert.run(1)),
    group.run(() => db.exec("INSERT OR ROLLBACK INTO t VALUES (1)")),
    group.run(() => insert.run(2)),
  ];
  const settled = await Promise.allSettled(writes);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(stored()).toEqual([]);
  expect(await group.run(() => insert.run(3))).toBe(1);
  db.close();
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
  expect(first.stuck("r")).toMatchObject({ code: "store.io" });
  expect(first.stuck("another")).toBeUndefined();
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
