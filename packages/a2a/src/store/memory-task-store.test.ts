import { TaskState, type Task } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { taskStoreContract, taskWriter, type ContractSettings } from "../testing/index.ts";
import { taskWith } from "../testing/task-store/fixtures.ts";
import { createMemoryTaskStore } from "./memory-task-store.ts";
import { sizeOf } from "./size-of.ts";

describe("the task store in memory", () => {
  it.each(taskStoreContract({ open: async (settings) => createMemoryTaskStore(settings) }))(
    "$name",
    async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    },
  );

  describe("of several servers", () => {
    const open = async (settings: ContractSettings) => createMemoryTaskStore({ ...settings, leaseMs: 5_000 });
    it.each(taskStoreContract({ open, another: async (store) => store }))("$name", async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });
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
        const store = taskWriter(createMemoryTaskStore({ clock: virtualClock(), maxBytes }));
        /** Oldest first. */
        let settled: Task[] = [];
        const open = new Map<string, Task>();
        for (const [at, { id, state, chars }] of updates.entries()) {
          const next = taskWith(id, { state, text: "x".repeat(chars) });
          await store.claim("", String(at), next);
          settled = settled.filter((one) => one.id !== id);
          open.delete(id);
          if (state === TaskState.TASK_STATE_WORKING) open.set(id, next);
          else settled.push(next);
          while (settled.reduce((sum, one) => sum + sizeOf(one), 0) > maxBytes) settled.shift();
          const { tasks } = await store.store.list("", { pageSize: 50, pageToken: "" });
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
