import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { TaskState, type Task } from "@a2a-js/sdk";
import { StoreError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { requireSqlite } from "../../adapters/node-sqlite.ts";
import { taskStoreContract } from "../../testing/index.ts";
import { liveTask } from "../../wire/apply-event.ts";
import { artifactOf, textOf, textPart, type WireEvent } from "../../wire/parts.ts";
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

const task = (id: string, state = TaskState.TASK_STATE_COMPLETED, text = ""): Task => ({
  id,
  contextId: "c",
  status: { state, message: undefined, timestamp: undefined },
  artifacts: [artifactOf("x", "", [textPart(text)])],
  history: [],
  metadata: undefined,
});
const chunk = (text: string): WireEvent => ({
  $case: "artifactUpdate",
  value: {
    taskId: "t",
    contextId: "c",
    artifact: artifactOf("x", "", [textPart(text)]),
    append: true,
    lastChunk: false,
    metadata: undefined,
  },
});

describe("the task store on SQLite", () => {
  const reopen = (store: unknown) => {
    (store as ReturnType<typeof open>).close();
    return Promise.resolve(open());
  };
  it.each(taskStoreContract(() => Promise.resolve(open()), reopen))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it("drops what has settled by count, age and size, oldest first, with its messages; never what runs", async () => {
    const clock = virtualClock();
    const store = open({ clock, maxTasks: 2, maxAgeMs: 1_000, maxBytes: 2_000 });
    const ids = async () =>
      (await store.list("", { pageSize: 10, pageToken: "" })).tasks.map(({ id }) => id).sort();
    await store.claim("", "running", task("running", TaskState.TASK_STATE_WORKING));
    await store.claim("", "asks", task("asks", TaskState.TASK_STATE_INPUT_REQUIRED));
    for (const id of ["a", "b"]) await store.claim("", id, task(id));
    expect(await ids()).toEqual(["a", "b", "running"]);
    expect(await store.taskOf("", "asks")).toBeUndefined();
    await store.claim("", "a again", task("a", TaskState.TASK_STATE_WORKING));
    await store.claim("", "c", task("c"));
    expect(await ids()).toEqual(["a", "b", "c", "running"]);
    await store.claim("", "long", task("long", undefined, "x".repeat(1_800)));
    expect(await ids()).toEqual(["a", "long", "running"]);
    await clock.advance(1_001);
    await store.claim("", "new", task("new"));
    expect(await ids()).toEqual(["a", "new", "running"]);
    store.close();
    // The counts are those of the file, not of the process.
    const again = open({ clock, maxTasks: 1 });
    await again.claim("", "newer", task("newer"));
    const { tasks } = await again.list("", { pageSize: 10, pageToken: "" });
    expect(tasks.map(({ id }) => id).sort()).toEqual(["a", "newer", "running"]);
  });

  it("costs what an update is long: a running task is written anew only when it has doubled", async () => {
    const store = open();
    const live = liveTask(task("t", TaskState.TASK_STATE_WORKING));
    await store.claim("", "m", live.task);
    const text = "0123456789".repeat(100);
    for (let i = 0; i < 300; i++) {
      live.apply(chunk(text));
      await store.save("", live.task, [chunk(text)]);
    }
    expect(textOf((await store.load("", "t"))?.artifacts[0]?.parts ?? [])).toBe(text.repeat(300));
    store.close();
    const raw = new DatabaseSync(path);
    const rows = raw.prepare("SELECT COUNT(*) AS n, SUM(length(body)) AS size FROM change").get();
    raw.close();
    expect(Number(rows?.["n"])).toBeLessThan(250);
    expect(Number(rows?.["size"])).toBeLessThan(300_000);
  });

  it("stores the whole task after an update that was not stored", async () => {
    const store = open();
    const live = liveTask(task("t", TaskState.TASK_STATE_WORKING));
    await store.claim("", "m", live.task);
    let unwell = true;
    const toJSON = (): string => {
      if (unwell) throw new Error("not now");
      return "now";
    };
    const lost = { ...chunk("lost").value, metadata: { note: { toJSON } } };
    const event = { $case: "artifactUpdate", value: lost } as WireEvent;
    live.apply(event);
    await expect(store.save("", live.task, [event])).rejects.toThrow("not now");
    unwell = false;
    live.apply(chunk(" and found"));
    await store.save("", live.task, [chunk(" and found")]);
    expect(textOf((await store.load("", "t"))?.artifacts[0]?.parts ?? [])).toBe("lost and found");
  });

  it("says that it is closed", async () => {
    const store = open();
    const waits = store.claim("", "m", task("t"));
    store.close();
    expect(await waits).toBe("t");
    await expect(store.load("", "t")).rejects.toMatchObject({ code: "store.io" });
    await expect(store.claim("", "m2", task("t2"))).rejects.toMatchObject({ code: "store.io" });
    await expect(store.save("", task("t"), [])).rejects.toMatchObject({ code: "store.io" });
  });

  it("takes a task that was begun anew in place of what it had", async () => {
    const store = open();
    const live = liveTask(task("t", TaskState.TASK_STATE_WORKING, "old"));
    await store.claim("", "m", live.task);
    await store.save("", live.task, [chunk("er")]);
    const anew = task("t", TaskState.TASK_STATE_WORKING, "new");
    await store.save("", anew, [{ $case: "task", value: anew }]);
    expect(await store.load("", "t")).toEqual(anew);
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
    expect(() => open({ path: later })).toThrow(/have version 99, this program reads up to 1/);
    const text = join(folder, "text.db");
    writeFileSync(text, "this is not a database, it is a page of text ".repeat(50));
    expect(() => open({ path: text })).toThrow(/move it away to start anew/);
    expect(() => open({ path: folder })).toThrow(expect.objectContaining({ code: "store.io" }));
  });

  it("reads a file of the first version", async () => {
    const first = join(folder, "first.db");
    const db = new DatabaseSync(first);
    db.exec(readFileSync(new URL("corpus/tasks-v1.sql", import.meta.url), "utf8"));
    db.close();
    const store = open({ path: first });
    const { tasks } = await store.list("ann", { pageSize: 10, pageToken: "" });
    expect(tasks.map(({ id, status }) => [id, status?.state])).toEqual([
      ["runs", TaskState.TASK_STATE_WORKING],
      ["asks", TaskState.TASK_STATE_INPUT_REQUIRED],
    ]);
    expect(textOf((await store.load("ann", "runs"))?.artifacts[0]?.parts ?? [])).toBe("Sales rose.");
    expect(await store.taskOf("ann", "m2")).toBe("asks");
    expect((await store.unfinished()).map(({ task: { id } }) => id)).toEqual(["runs"]);
  });

  it("says which Node it needs where there is no node:sqlite", () => {
    expect(() => requireSqlite(() => undefined, "v20.11.0")).toThrow(StoreError);
    expect(() => requireSqlite(() => undefined, "v20.11.0")).toThrow(/Node v20\.11\.0.*22\.13/);
  });
});
