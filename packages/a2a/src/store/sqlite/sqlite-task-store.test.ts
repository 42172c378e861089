import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { TaskState } from "@a2a-js/sdk";
import { silentLog } from "@troupe/core";
import { sampleSuspendedRun, virtualClock } from "@troupe/core/testing";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { taskStoreContract, taskWriter, type ContractSettings } from "../../testing/index.ts";
import { chunk, doneTask, said, status, taskWith } from "../../testing/task-store/fixtures.ts";
import { liveTask } from "../../wire/apply-event.ts";
import { textOf, type WireEvent } from "../../wire/parts.ts";
import type { TaskStore } from "../task-store.ts";
import { openSqliteTaskStore, type SqliteTaskStoreOptions } from "./sqlite-task-store.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-tasks-"));
  path = join(folder, "tasks", "agent.db");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function open(given: Partial<SqliteTaskStoreOptions> = {}) {
  const store = openSqliteTaskStore({ path, clock: virtualClock(), ...given });
  onTestFinished(() => store.close());
  return store;
}

const statusAt = (timestamp: string): WireEvent => ({
  $case: "statusUpdate",
  value: {
    taskId: "t",
    contextId: "c",
    status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp },
    metadata: undefined,
  },
});

describe("the task store on SQLite", () => {
  const opened = new WeakMap<TaskStore, ReturnType<typeof open>>();
  const openAs = async (settings: ContractSettings) => {
    const store = open(settings);
    opened.set(store, store);
    return store;
  };
  const reopen = (store: TaskStore, settings: ContractSettings) => {
    opened.get(store)?.close();
    return openAs(settings);
  };
  it.each(taskStoreContract({ open: openAs, reopen }))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it("counts what is on the file, not what this process put there", async () => {
    const store = open();
    for (const id of ["a", "b", "c"]) await taskWriter(store).claim("", id, doneTask(id));
    store.close();
    const again = open({ maxTasks: 2 });
    await taskWriter(again).claim("", "newer", doneTask("newer"));
    const { tasks } = await again.list("", { pageSize: 10, pageToken: "" });
    expect(tasks.map(({ id }) => id).sort()).toEqual(["c", "newer"]);
  });

  it("costs what an update is long, whatever the task is long: bytes on the disk", async () => {
    const store = open();
    const writer = taskWriter(store);
    const grownBy = async (id: string, events: (text: string) => readonly WireEvent[]) => {
      const before = statSync(`${path}-wal`).size;
      const live = liveTask(taskWith(id));
      for (let i = 0; i < 20; i++) {
        const changes = events(`word ${i} `);
        for (const change of changes) live.apply(change);
        await writer.save("", live.task, changes);
      }
      return statSync(`${path}-wal`).size - before;
    };
    await writer.claim("", "m0", taskWith("none"));
    await writer.claim("", "m1", taskWith("short", { text: "x" }));
    await writer.claim("", "m2", taskWith("long", { text: "x".repeat(500_000) }));
    for (const events of [
      (text: string) => [chunk(text, true)],
      (text: string) => [chunk(text, true), statusAt(text)],
    ]) {
      const short = await grownBy("short", events);
      const long = await grownBy("long", events);
      expect(long).toBeLessThan(short * 1.5);
      // Pages of 4 KiB that a save touches: the changes, and where there is a new status the row.
      expect(long / 20).toBeLessThan(10 * 4_096);
    }
  });

  it("lets replies and ends outlast a power cut, and waits for the disk with nothing else", async () => {
    const exec = vi.spyOn(DatabaseSync.prototype, "exec");
    onTestFinished(() => exec.mockRestore());
    const store = open();
    const writer = taskWriter(store);
    const level = async (write: Promise<unknown>): Promise<string | undefined> => {
      await write;
      return exec.mock.calls.flat().findLast((sql) => sql.startsWith("PRAGMA synchronous"));
    };
    const [full, normal] = ["PRAGMA synchronous=FULL", "PRAGMA synchronous=NORMAL"];
    const asked = { ...taskWith("t"), history: [said("m1", "go")] };
    const replied = { ...asked, history: [...asked.history, said("m2", "yes")] };
    const ended = { ...replied, status: doneTask("t").status };
    expect(await level(writer.claim("", "m1", asked))).toBe(normal);
    expect(await level(writer.save("", asked, [chunk("a", false)]))).toBe(normal);
    expect(await level(writer.claim("", "m2", replied))).toBe(full);
    expect(await level(writer.save("", replied, [chunk("b", true)]))).toBe(normal);
    expect(await level(writer.save("", ended, [status(TaskState.TASK_STATE_COMPLETED)]))).toBe(full);
  });

  it("writes a running task anew only when it has doubled", async () => {
    const store = open();
    const writer = taskWriter(store);
    const live = liveTask(taskWith("t"));
    await writer.claim("", "m", live.task);
    const text = "0123456789".repeat(100);
    for (let i = 0; i < 300; i++) {
      live.apply(chunk(text, true));
      await writer.save("", live.task, [chunk(text, true)]);
    }
    expect(textOf((await writer.load("", "t"))?.artifacts[0]?.parts ?? [])).toBe(text.repeat(300));
    store.close();
    const raw = new DatabaseSync(path);
    const rows = raw.prepare("SELECT COUNT(*) AS n, SUM(length(body)) AS size FROM change").get();
    raw.close();
    expect(Number(rows?.["n"])).toBeLessThan(250);
    expect(Number(rows?.["size"])).toBeLessThan(300_000);
  });

  it("sets a task aside that it cannot read, says so, and goes on with the others", async () => {
    const store = open();
    const writer = taskWriter(store);
    const ids = ["a", "torn", "odd", "b", "rests"];
    for (const id of ids) {
      const state = id === "rests" ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_WORKING;
      await writer.claim("", id, taskWith(id, { state, text: id }));
    }
    await writer.save("", taskWith("odd"), [chunk("more", true)]);
    store.close();
    const raw = new DatabaseSync(path);
    raw.exec(`UPDATE body SET body = '{"id":"torn","sta' WHERE task = 2;
      UPDATE change SET body = '[{"artifactUpdate": 7}' WHERE task = 3;
      UPDATE body SET body = 'null' WHERE task = 5`);
    raw.close();
    const logged: string[] = [];
    const log = {
      ...silentLog,
      error: (text: string, fields = {}) => logged.push(`${text} ${JSON.stringify(fields)}`),
    };
    const again = taskWriter(open({ log }));
    expect(await again.unfinished()).toEqual([" a", " b"]);
    expect(await again.unfinished()).toEqual([" a", " b"]);
    const { tasks, totalSize } = await again.store.list("", { pageSize: 10, pageToken: "" });
    expect(totalSize).toBe(5);
    const states = tasks.map(({ id, status }) => [id, status?.state]);
    expect(Object.fromEntries(states)).toEqual({
      a: TaskState.TASK_STATE_WORKING,
      b: TaskState.TASK_STATE_WORKING,
      torn: TaskState.TASK_STATE_FAILED,
      odd: TaskState.TASK_STATE_FAILED,
      rests: TaskState.TASK_STATE_FAILED,
    });
    expect(textOf((await again.load("", "torn"))?.status?.message?.parts ?? [])).toMatch(/cannot be read/);
    for (const id of ["torn", "odd", "rests"]) expect(logged.join("\n")).toContain(`"taskId":"${id}"`);
    expect(await again.store.taskOf("", "torn")).toBe("torn");
  });

  it("writes what everybody else asked for where one cannot be done", async () => {
    const store = open({ maxTasks: 3 });
    const broken = {
      id: JSON.parse("[1]") as string,
      url: "https://a.example",
      token: "",
      version: "1.0",
    } as const;
    const { push } = store;
    if (push === undefined) throw new Error("no push");
    await store.claim("", "first", taskWith("first"), { version: 0 });
    const writes = [
      store.claim("", "a", doneTask("a"), { version: 0 }),
      push.put({ owner: "", taskId: "first" }, broken, ""),
      store.claim("", "b", doneTask("b"), { version: 0 }),
      store.claim("", "c", taskWith("first"), { version: 7 }),
    ];
    const ends = await Promise.allSettled(writes);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
    // What was begun twice is counted once: there is room for one more.
    await store.claim("", "d", doneTask("d"), { version: 0 });
    const { tasks } = await store.list("", { pageSize: 10, pageToken: "" });
    expect(tasks.map(({ id }) => id).toSorted()).toEqual(["a", "b", "d", "first"]);
    store.close();
  });

  it("says that it is closed", async () => {
    const store = open();
    const waits = store.claim("", "m", doneTask("t"), { version: 0 });
    store.close();
    expect(await waits).toMatchObject({ taskId: "t", first: true });
    const refused = [
      store.load("", "t"),
      store.claim("", "m2", doneTask("t2"), { version: 0 }),
      store.save("", doneTask("t"), [], { version: 1 }),
    ];
    for (const one of refused) await expect(one).rejects.toMatchObject({ code: "store.io" });
  });

  it("belongs to one process at a time, and is for nobody else to read", () => {
    const store = open();
    const modes = [join(folder, "tasks"), path].map((name) => statSync(name).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
    expect(() => open()).toThrow(
      expect.objectContaining({
        code: "store.locked",
        message: expect.stringContaining("in use by another process"),
      }),
    );
    store.close();
    open();
  });

  it("refuses a file of a later version, one that holds no tasks and a folder, and says what to do", () => {
    const later = join(folder, "later.db");
    const db = new DatabaseSync(later);
    db.exec("PRAGMA user_version=99");
    db.close();
    expect(() => open({ path: later })).toThrow(/have version 99, this program reads up to 4/);
    const text = join(folder, "text.db");
    writeFileSync(text, "this is not a database, it is a page of text ".repeat(50));
    expect(() => open({ path: text })).toThrow(/move it away to start anew/);
    expect(() => open({ path: folder })).toThrow(expect.objectContaining({ code: "store.io" }));
  });

  it.each([1, 2, 3, 4])("reads a file of version %i, and goes on with it", async (version) => {
    const earlier = join(folder, "earlier.db");
    const db = new DatabaseSync(earlier);
    db.exec(readFileSync(new URL(`corpus/tasks-v${version}.sql`, import.meta.url), "utf8"));
    db.close();
    const store = open({ path: earlier });
    const { tasks } = await store.list("ann", { pageSize: 10, pageToken: "" });
    expect(tasks.map(({ id, status }) => [id, status?.state])).toEqual([
      ["runs", TaskState.TASK_STATE_WORKING],
      ["asks", TaskState.TASK_STATE_INPUT_REQUIRED],
    ]);
    const writer = taskWriter(store);
    const runs = await writer.load("ann", "runs");
    expect(textOf(runs?.artifacts[0]?.parts ?? [])).toBe("Sales rose.");
    expect(await store.taskOf("ann", "m2")).toBe("asks");
    const waiting = await store.suspended.load("asks");
    expect(waiting).toEqual(version < 4 ? undefined : sampleSuspendedRun());
    const hooks = await store.push?.list({ owner: "ann", taskId: "runs" });
    expect(hooks?.map(({ config }) => [config.id, config.authentication?.scheme])).toEqual(
      version < 3 ? [] : [["hook", "Bearer"]],
    );
    expect(await writer.unfinished()).toEqual(["ann runs"]);
    if (runs !== undefined) await writer.save("ann", runs, [{ $case: "task", value: runs }]);
    expect(await writer.load("ann", "runs")).toEqual(runs);
  });
});
