import { TaskState, type Task } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { taskStoreContract } from "../testing/index.ts";
import { createMemoryTaskStore } from "./memory-task-store.ts";

const task = (id: string, state = TaskState.TASK_STATE_COMPLETED): Task => ({
  id,
  contextId: "c",
  status: { state, message: undefined, timestamp: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
});

describe("the task store in memory", () => {
  const open = () => Promise.resolve(createMemoryTaskStore({ clock: virtualClock() }));
  it.each(taskStoreContract(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it("drops what has settled by count, oldest first, with its messages; never what runs", async () => {
    const store = createMemoryTaskStore({ clock: virtualClock(), maxTasks: 2 });
    await store.claim("", "running", task("running", TaskState.TASK_STATE_WORKING));
    await store.claim("", "asks", task("asks", TaskState.TASK_STATE_INPUT_REQUIRED));
    for (const id of ["a", "b"]) await store.claim("", id, task(id));
    expect(await store.load("", "asks")).toBeUndefined();
    expect(await store.taskOf("", "asks")).toBeUndefined();
    expect(await store.load("", "running")).toBeDefined();
    expect((await store.list("", { pageSize: 10, pageToken: "" })).totalSize).toBe(3);
  });

  it("drops what has settled by age", async () => {
    const clock = virtualClock();
    const store = createMemoryTaskStore({ clock, maxAgeMs: 1_000 });
    await store.claim("", "old", task("old"));
    await clock.advance(1_001);
    await store.claim("", "new", task("new"));
    expect(await store.load("", "old")).toBeUndefined();
    expect(await store.load("", "new")).toBeDefined();
  });
});
