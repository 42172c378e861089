import assert from "node:assert/strict";

import { TaskState } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";

import type { TaskStore } from "../../store/task-store.ts";
import { liveTask } from "../../wire/apply-event.ts";
import { textOf } from "../../wire/parts.ts";
import { taskWriter } from "../task-writer.ts";
import type { ContractCase, MakeCases } from "./contract-case.ts";
import { ALL, chunk, doneTask, refused, status, taskWith } from "./fixtures.ts";

/** Messages lead to one task, owners are apart, and nobody changes what somebody else has changed. */
export const claimCases: MakeCases = ({ open }) => {
  const on = (name: string, run: (store: TaskStore) => Promise<void>): ContractCase => ({
    name,
    run: async () => run(await open({ clock: virtualClock() })),
  });
  return [
    on("a message leads to one task, whoever is first, and to nobody else's", async (store) => {
      assert.equal(await store.taskOf("ann", "m"), undefined);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, i) => store.claim("ann", "m", taskWith(`t${i}`), { version: 0 })),
      );
      assert.equal(new Set(claims.map(({ taskId }) => taskId)).size, 1);
      assert.equal(claims.filter(({ first }) => first).length, 1);
      assert.equal(await store.taskOf("ann", "m"), claims[0]?.taskId);
      assert.equal(await store.taskOf("bob", "m"), undefined);
      assert.equal((await store.list("ann", ALL)).totalSize, 1);
    }),
    on("a message that is known changes nothing, whatever it comes with", async (store) => {
      const claim = await store.claim("ann", "m", taskWith("t"), { version: 0 });
      assert.deepEqual(claim, { taskId: "t", version: claim.version, first: true });
      for (const version of [0, claim.version, 99]) {
        const again = await store.claim("ann", "m", doneTask("t"), { version });
        assert.deepEqual(again, { taskId: "t", version: claim.version, first: false });
      }
      assert.equal((await store.load("ann", "t"))?.task.status?.state, TaskState.TASK_STATE_WORKING);
    }),
    on("a task goes on under a second message, once, and keeps the first", async (store) => {
      const asks = taskWith("t", { state: TaskState.TASK_STATE_INPUT_REQUIRED });
      const { version } = await store.claim("ann", "m1", asks, { version: 0 });
      const claims = await Promise.all(
        Array.from({ length: 4 }, () => store.claim("ann", "m2", taskWith("t"), { version })),
      );
      assert.deepEqual(
        claims.map(({ taskId }) => taskId),
        ["t", "t", "t", "t"],
      );
      assert.equal(claims.filter(({ first }) => first).length, 1);
      await refused(store.claim("ann", "m3", taskWith("t"), { version }));
      assert.equal(await store.taskOf("ann", "m3"), undefined);
      assert.equal(await store.taskOf("ann", "m1"), "t");
      const loaded = await store.load("ann", "t");
      assert.equal(loaded?.task.status?.state, TaskState.TASK_STATE_WORKING);
    }),
    on("every change goes out from the stored version, or is refused and changes nothing", async (store) => {
      const { version } = await store.claim("ann", "m", taskWith("t"), { version: 0 });
      const live = liveTask(taskWith("t"));
      live.apply(chunk("first", false));
      const next = await store.save("ann", live.task, [chunk("first", false)], { version });
      assert.notEqual(next, version);
      const stale = liveTask(taskWith("t"));
      stale.apply(chunk("other", false));
      await refused(store.save("ann", stale.task, [chunk("other", false)], { version }));
      const ended = doneTask("t");
      const change = status(TaskState.TASK_STATE_COMPLETED);
      await refused(store.save("ann", ended, [change], { version: next + 1 }));
      await refused(store.save("ann", ended, [{ $case: "task", value: ended }], { version }));
      const loaded = await store.load("ann", "t");
      assert.equal(loaded?.version, next);
      assert.equal(textOf(loaded.task.artifacts[0]?.parts ?? []), "first");
      assert.equal(loaded.task.status?.state, TaskState.TASK_STATE_WORKING);
    }),
    on("of many saves at once from one version one is kept, whole", async (store) => {
      const { version } = await store.claim("ann", "m", taskWith("t"), { version: 0 });
      const saves = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) => {
          const live = liveTask(taskWith("t"));
          live.apply(chunk(`${i}`, false));
          return store.save("ann", live.task, [chunk(`${i}`, false)], { version });
        }),
      );
      const kept = saves.flatMap((save, i) => (save.status === "fulfilled" ? [`${i}`] : []));
      assert.equal(kept.length, 1);
      const loaded = await store.load("ann", "t");
      assert.equal(textOf(loaded?.task.artifacts[0]?.parts ?? []), kept[0]);
    }),
    on("nobody sees another's tasks, nor changes them, also under the same id", async (store) => {
      const { version } = await store.claim("ann", "m", taskWith("t"), { version: 0 });
      assert.equal(await store.load("bob", "t"), undefined);
      assert.deepEqual(await store.list("bob", ALL), { tasks: [], nextPageToken: "", totalSize: 0 });
      await refused(store.save("bob", doneTask("t"), [], { version }));
      assert.equal((await store.load("ann", "t"))?.task.status?.state, TaskState.TASK_STATE_WORKING);
      await store.claim("bob", "m", doneTask("t"), { version: 0 });
      assert.equal(await store.taskOf("ann", "m"), "t");
      assert.equal((await store.load("ann", "t"))?.task.status?.state, TaskState.TASK_STATE_WORKING);
      assert.equal((await store.load("bob", "t"))?.task.status?.state, TaskState.TASK_STATE_COMPLETED);
    }),
    on("a task nobody claimed is not kept", async (store) => {
      await refused(store.save("ann", taskWith("t"), [chunk("x", false)], { version: 0 }));
      assert.equal(await store.load("ann", "t"), undefined);
    }),
    on("a task that was begun anew stands in place of what was stored", async (store) => {
      const writer = taskWriter(store);
      const live = liveTask(taskWith("t", { text: "old" }));
      await writer.claim("ann", "m", live.task);
      live.apply(chunk("er", true));
      await writer.save("ann", live.task, [chunk("er", true)]);
      const anew = liveTask(taskWith("t", { text: "new" }));
      await writer.save("ann", anew.task, [{ $case: "task", value: anew.task }]);
      assert.deepEqual(await writer.load("ann", "t"), anew.snapshot());
      anew.apply(chunk(" and on", true));
      await writer.save("ann", anew.task, [chunk(" and on", true)]);
      assert.deepEqual(await writer.load("ann", "t"), anew.snapshot());
    }),
  ];
};
