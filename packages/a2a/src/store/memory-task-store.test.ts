import { TaskState, type Task } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { taskStoreContract } from "../testing/index.ts";
import { textPart } from "../wire/parts.ts";
import { createMemoryTaskStore } from "./memory-task-store.ts";
import { sizeOf } from "./size-of.ts";

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

  it("drops what has settled by size, oldest first; never what runs, whatever the order", async () => {
    const states = [
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_INPUT_REQUIRED,
      TaskState.TASK_STATE_COMPLETED,
    ];
    const update = fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e"),
      state: fc.constantFrom(...states),
      chars: fc.nat(3_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(update, { maxLength: 40 }), async (updates) => {
        const maxBytes = 10_000;
        const store = createMemoryTaskStore({ clock: virtualClock(), maxBytes });
        /** Oldest first. */
        let settled: Task[] = [];
        const open = new Map<string, Task>();
        for (const [at, { id, state, chars }] of updates.entries()) {
          const artifact = {
            artifactId: "x",
            name: "",
            description: "",
            metadata: undefined,
            extensions: [],
          };
          const next = {
            ...task(id, state),
            artifacts: [{ ...artifact, parts: [textPart("x".repeat(chars))] }],
          };
          await store.claim("", String(at), next);
          settled = settled.filter((one) => one.id !== id);
          open.delete(id);
          if (state === TaskState.TASK_STATE_WORKING) open.set(id, next);
          else settled.push(next);
          while (settled.reduce((sum, one) => sum + sizeOf(one), 0) > maxBytes) settled.shift();
          const { tasks } = await store.list("", { pageSize: 50, pageToken: "" });
          const kept = tasks.map((one) => one.id).sort();
          expect(kept).toEqual([...open.keys(), ...settled.map((one) => one.id)].sort());
        }
      }),
    );
  });

  it("counts what is kept for what it takes", () => {
    expect(sizeOf("x".repeat(1_000))).toBeGreaterThanOrEqual(2_000);
    expect(sizeOf(Array.from({ length: 1_000 }, () => ({})))).toBeGreaterThanOrEqual(56_000);
    expect(sizeOf({ raw: Buffer.alloc(5_000) })).toBeLessThan(6_000);
    expect(sizeOf(JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`))).toBeGreaterThan(0);
  });
});
