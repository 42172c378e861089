import assert from "node:assert/strict";

import { TaskState } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";

import { taskWriter } from "../task-writer.ts";
import type { ContractCase, ContractSettings, MakeCases } from "./contract-case.ts";
import { doneTask, idsOf, taskWith } from "./fixtures.ts";

type Limits = Omit<ContractSettings, "clock">;

/** What has settled is dropped, oldest first; what runs never is. */
export const retentionCases: MakeCases = ({ open }) => {
  const on = (
    name: string,
    limits: Limits,
    run: (writer: ReturnType<typeof taskWriter>, clock: ContractSettings["clock"]) => Promise<void>,
  ): ContractCase => ({
    name,
    run: async () => {
      const clock = virtualClock();
      await run(taskWriter(await open({ clock, ...limits })), clock);
    },
  });
  return [
    on("drops by count, with its messages, never what runs", { maxTasks: 2 }, async (writer) => {
      await writer.claim("ann", "running", taskWith("running"));
      await writer.claim("ann", "asks", taskWith("asks", { state: TaskState.TASK_STATE_INPUT_REQUIRED }));
      for (const id of ["a", "b"]) await writer.claim(id === "a" ? "bob" : "ann", id, doneTask(id));
      await writer.claim("ann", "next", taskWith("next"));
      assert.deepEqual((await idsOf(writer.store, "ann")).sort(), ["b", "next", "running"]);
      assert.deepEqual(await idsOf(writer.store, "bob"), ["a"]);
      assert.equal(await writer.store.taskOf("ann", "asks"), undefined);
      // What goes on is no longer old, and what was dropped may come again.
      await writer.claim("bob", "on", taskWith("a"));
      await writer.claim("ann", "asks", doneTask("asks"));
      await writer.claim("ann", "c", doneTask("c"));
      await writer.claim("ann", "more", taskWith("more"));
      assert.deepEqual((await idsOf(writer.store, "ann")).sort(), ["asks", "c", "more", "next", "running"]);
      assert.deepEqual(await idsOf(writer.store, "bob"), ["a"]);
    }),
    on("drops by age", { maxAgeMs: 1_000 }, async (writer, clock) => {
      await writer.claim("ann", "old", doneTask("old"));
      await writer.claim("ann", "running", taskWith("running"));
      await clock.advance(1_000);
      await writer.claim("ann", "new", doneTask("new"));
      assert.deepEqual((await idsOf(writer.store, "ann")).sort(), ["new", "old", "running"]);
      await clock.advance(1);
      await writer.claim("ann", "newer", doneTask("newer"));
      assert.deepEqual((await idsOf(writer.store, "ann")).sort(), ["new", "newer", "running"]);
    }),
    on("drops by age also where nothing more settles", { maxAgeMs: 1_000 }, async (writer, clock) => {
      await writer.claim("ann", "old", doneTask("old"));
      await clock.advance(1_001);
      assert.equal(await writer.load("ann", "old"), undefined);
      await writer.claim("ann", "older", doneTask("older"));
      await clock.advance(1_001);
      assert.deepEqual(await idsOf(writer.store, "ann"), []);
      await writer.claim("ann", "oldest", doneTask("oldest"));
      await clock.advance(1_001);
      assert.equal(await writer.store.taskOf("ann", "oldest"), undefined);
    }),
    on("drops by bytes, oldest first", { maxBytes: 400_000 }, async (writer) => {
      const text = "x".repeat(90_000);
      await writer.claim("ann", "running", taskWith("running", { text }));
      for (let i = 0; i < 6; i++) await writer.claim("ann", `m${i}`, doneTask(`t${i}`, { text }));
      await writer.claim("ann", "next", taskWith("next"));
      const kept = (await idsOf(writer.store, "ann")).filter((id) => id.startsWith("t")).sort();
      assert.ok(kept.length >= 1 && kept.length <= 5, kept.join());
      assert.deepEqual(kept, ["t0", "t1", "t2", "t3", "t4", "t5"].slice(-kept.length));
      assert.ok((await writer.load("ann", "running")) !== undefined);
    }),
  ];
};
