import { PGlite } from "@electric-sql/pglite";
import { TaskState } from "@a2a-js/sdk";
import { silentLog } from "@troupe/core";
import { toStoreError, type Sql } from "@troupe/core/postgres";
import { suspendedRunsContract, virtualClock } from "@troupe/core/testing";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { taskWriter } from "../../testing/index.ts";
import { chunk, taskWith } from "../../testing/task-store/fixtures.ts";
import { liveTask } from "../../wire/apply-event.ts";
import { textOf } from "../../wire/parts.ts";
import { postgresSuspended } from "./postgres-suspended.ts";
import { tasksInPostgres, type PostgresTasksOptions } from "./postgres-task-store.ts";

/**
 * Postgres itself in this process: one for the file, since it takes seconds to start. What every store has
 * to keep to is tried on a server of its own, in postgres-task-store.full-test.ts.
 */
let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create();
});
afterAll(() => db.close());

const sql: Sql = {
  async query<Row>(text: string, args: readonly unknown[]) {
    try {
      return (await db.query<Row>(text, [...args])).rows;
    } catch (error) {
      throw toStoreError(error, "the tasks");
    }
  },
  async script(text) {
    await db.exec(text);
  },
};

let count = 0;
async function open(options: PostgresTasksOptions = {}) {
  const schema = options.schema ?? `t${++count}`;
  // At once where a case is about what is dropped: each look costs more than what it looks after.
  const limited = [options.maxTasks, options.maxAgeMs, options.maxBytes].some((limit) => limit !== undefined);
  const sweeps = limited ? { sweepMs: 0 } : {};
  return tasksInPostgres(sql, { ...sweeps, ...options, schema }, "The tasks");
}
describe("the task store on Postgres, in its own ways", () => {
  it("writes the journal for an update and not the task, however long that is", async () => {
    const store = await open({ schema: "appends" });
    const writer = taskWriter(store);
    const written = async (): Promise<unknown> =>
      (await db.query("SELECT xmin, ctid, version, body FROM appends.task ORDER BY id")).rows;
    const lives = ["x", "x".repeat(500_000)].map((text, i) => liveTask(taskWith(`t${i}`, { text })));
    for (const [i, live] of lives.entries()) await writer.claim("", `m${i}`, live.task);
    const before = await written();
    for (let i = 0; i < 50; i++)
      for (const live of lives) {
        live.apply(chunk(`word ${i} `, true));
        await writer.save("", live.task, [chunk(`word ${i} `, true)]);
      }
    expect(await written()).toEqual(before);
    const { rows } = await db.query<{ bytes: number; n: number }>(
      "SELECT SUM(length(body))::int AS bytes, COUNT(*)::int AS n FROM appends.change GROUP BY task ORDER BY task",
    );
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[0]?.n).toBe(50);
    expect(rows[0]?.bytes).toBeLessThan(50 * 300);
    for (const live of lives) expect(await writer.load("", live.task.id)).toEqual(live.snapshot());
  });

  it("writes a running task anew when it has doubled, and keeps its journal bounded", async () => {
    const store = await open({ schema: "doubles" });
    const writer = taskWriter(store);
    const live = liveTask(taskWith("t"));
    await writer.claim("", "m", live.task);
    const text = "0123456789".repeat(100);
    for (let i = 0; i < 200; i++) {
      live.apply(chunk(text, true));
      await writer.save("", live.task, [chunk(text, true)]);
    }
    expect(textOf((await writer.load("", "t"))?.artifacts[0]?.parts ?? [])).toBe(text.repeat(200));
    const { rows } = await db.query<{ bytes: number }>(
      "SELECT SUM(length(body))::int AS bytes FROM doubles.change",
    );
    expect(rows[0]?.bytes).toBeLessThan(2 * 200_000);
  });

  it("sets a task aside that it cannot read, says so, and goes on with the others", async () => {
    const logged: unknown[] = [];
    const log = { ...silentLog, error: (_text: string, fields?: unknown) => logged.push(fields) };
    const store = await open({ schema: "torn", log });
    const writer = taskWriter(store);
    for (const id of ["a", "torn", "odd", "b"]) await writer.claim("ann", id, taskWith(id, { text: id }));
    await writer.save("ann", taskWith("odd"), [chunk("more", true)]);
    await db.exec(`UPDATE torn.task SET body = '{"id":"torn","sta' WHERE id = 'torn';
      UPDATE torn.change SET body = '[{"artifactUpdate": 7}'`);
    expect(await writer.unfinished()).toEqual(["ann a", "ann b"]);
    const { tasks } = await store.list("ann", { pageSize: 10, pageToken: "" });
    expect(Object.fromEntries(tasks.map(({ id, status }) => [id, status?.state]))).toEqual({
      a: TaskState.TASK_STATE_WORKING,
      b: TaskState.TASK_STATE_WORKING,
      torn: TaskState.TASK_STATE_FAILED,
      odd: TaskState.TASK_STATE_FAILED,
    });
    expect(logged).toContainEqual(expect.objectContaining({ taskId: "torn" }));
  });

  it("keeps ids as they come, also those that a column cannot hold", async () => {
    const writer = taskWriter(await open());
    const odd = ["nul\0", "half \ud83d", "\u{10FFFF}", '\u{10FFFF}"x"', "ünï"];
    for (const id of odd) {
      await writer.claim(id, id, taskWith(id, { text: `text ${id.toWellFormed()}`, contextId: id }));
      expect(await writer.load(id, id)).toMatchObject({ id, contextId: id });
      expect(await writer.store.taskOf(id, id)).toBe(id);
      const { tasks } = await writer.store.list(id, { contextId: id, pageSize: 2, pageToken: "" });
      expect(tasks.map((one) => one.id)).toEqual([id]);
    }
    expect((await writer.unfinished()).length).toBe(odd.length);
    // As long as a server takes them, of what takes the most room: an index has no place for much more.
    const owner = String.fromCharCode(...Array.from({ length: 200 }, (_, i) => 0x4e00 + i * 53));
    const long = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => 0xd800 + ((i * 37) % 1_024)));
    await writer.claim(owner, long, taskWith("long", { contextId: long }));
    expect(await writer.load(owner, "long")).toMatchObject({ contextId: long });
  });

  it.each([1, 2, 3])("reads a schema of version %i", async (version) => {
    const released = readFileSync(new URL(`corpus/tasks-v${version}.sql`, import.meta.url), "utf8");
    await db.exec(`DROP SCHEMA IF EXISTS released CASCADE; ${released}`);
    // What was released is old by now, and is kept here all the same.
    const store = await open({ schema: "released", maxAgeMs: Number.MAX_SAFE_INTEGER });
    const writer = taskWriter(store);
    const { tasks } = await store.list("ann", { pageSize: 10, pageToken: "" });
    expect(tasks.map(({ id, status }) => [id, status?.state])).toEqual([
      ["runs", TaskState.TASK_STATE_WORKING],
      ["asks", TaskState.TASK_STATE_INPUT_REQUIRED],
    ]);
    const runs = await writer.load("ann", "runs");
    expect(textOf(runs?.artifacts[0]?.parts ?? [])).toBe("Sales rose.");
    expect(await store.taskOf("ann", "m2")).toBe("asks");
    const hooks = await store.push?.list({ owner: "ann", taskId: "runs" });
    expect(hooks?.map(({ config }) => [config.id, config.authentication?.scheme])).toEqual(
      version < 2 ? [] : [["hook", "Bearer"]],
    );
    expect(await writer.unfinished()).toEqual(["ann runs"]);
    if (runs !== undefined) await writer.save("ann", runs, [{ $case: "task", value: runs }]);
    expect(await writer.load("ann", "runs")).toEqual(runs);
  });

  it("refuses a schema of a later version and a name that is none, and opens one at once from several", async () => {
    await Promise.all(Array.from({ length: 3 }, () => open({ schema: "together" })));
    await db.exec("UPDATE together.version SET version = 99");
    await expect(open({ schema: "together" })).rejects.toThrow(/have version 99, this program reads up to 3/);
    for (const schema of ["", "a b", "x;drop", "Tasks", "1a"])
      await expect(open({ schema })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("takes time from the database where nobody says one", async () => {
    const store = await open({ schema: "times", leaseMs: 60_000 });
    await store.shared.renew("h1");
    await store.claim("ann", "m", taskWith("t"), { version: 0, holder: "h1" });
    expect((await store.load("ann", "t"))?.holder).toEqual({ id: "h1", alive: true });
    expect(await taskWriter(store).unfinished()).toEqual([]);
    const clock = virtualClock(Date.UTC(2040, 0));
    const later = await open({ clock, schema: "times" });
    expect(await taskWriter(later).unfinished()).toEqual(["ann t"]);
  });
});

suspendedRunsContract("on Postgres", async () => {
  await open({ schema: "waiting" });
  await db.exec("TRUNCATE waiting.suspended");
  return { runs: postgresSuspended(sql, "waiting", silentLog) };
});

it("takes a run that cannot be read for one that is gone, and says so", async () => {
  await open({ schema: "waiting" });
  await db.exec("INSERT INTO waiting.suspended (run, body) VALUES ('odd', '{\"v\":1}')");
  const logged: unknown[] = [];
  const log = { ...silentLog, error: (_text: string, fields?: unknown) => logged.push(fields) };
  expect(await postgresSuspended(sql, "waiting", log).load("odd")).toBeUndefined();
  expect(logged).toMatchObject([{ runId: "odd" }]);
});
