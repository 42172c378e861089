import assert from "node:assert/strict";

import { TaskState } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";

import type { TaskStore } from "../../store/task-store.ts";
import { liveTask, type LiveTask } from "../../wire/apply-event.ts";
import type { WireEvent } from "../../wire/parts.ts";
import { taskWriter, type TaskWriter } from "../task-writer.ts";
import type { ContractCase, MakeCases } from "./contract-case.ts";
import { ALL, chunk, doneTask, said, status, taskWith } from "./fixtures.ts";

/** What a store that outlives its process keeps. */
export const durableCases: MakeCases = ({ open, reopen }) => {
  if (reopen === undefined) return [];
  const on = (
    name: string,
    run: (store: TaskStore, again: (store: TaskStore) => Promise<TaskStore>) => Promise<void>,
  ): ContractCase => ({
    name,
    run: async () => {
      const settings = { clock: virtualClock() };
      await run(await open(settings), (store) => reopen(store, settings));
    },
  });
  const apply = async (writer: TaskWriter, live: LiveTask, event: WireEvent): Promise<void> => {
    live.apply(event);
    await writer.save("ann", live.task, [event]);
  };
  return [
    on("a store that is opened again has every task as it was, running or not", async (store, again) => {
      const history = [said("m1", "Do it.")];
      const live = liveTask({ ...taskWith("t"), history, metadata: { a: [1, null] } });
      const writer = taskWriter(store);
      await writer.claim("ann", "m1", live.task);
      for (let i = 0; i < 50; i++) await apply(writer, live, chunk(`${i} `, i > 0));
      await apply(writer, live, status(TaskState.TASK_STATE_WORKING, { note: { b: "c" } }));
      await writer.claim("ann", "m2", doneTask("done"));
      const before = [await store.load("ann", "t"), await store.list("ann", ALL)];
      assert.deepEqual(await writer.load("ann", "t"), live.snapshot());
      const second = taskWriter(await again(store));
      assert.deepEqual([await second.store.load("ann", "t"), await second.store.list("ann", ALL)], before);
      assert.equal(await second.store.taskOf("ann", "m1"), "t");
      assert.deepEqual(await second.unfinished(), ["ann t"]);
      await apply(second, live, chunk("and on", true));
      await apply(second, live, status(TaskState.TASK_STATE_COMPLETED));
      const third = taskWriter(await again(second.store));
      assert.deepEqual(await third.load("ann", "t"), live.snapshot());
      assert.deepEqual(await third.unfinished(), []);
    }),
    on("what waits for a person is answered after the store was opened again", async (store, again) => {
      const asked = liveTask({ ...taskWith("t"), history: [said("m1", "Do it.")] });
      const writer = taskWriter(store);
      await writer.claim("ann", "m1", asked.task);
      await apply(writer, asked, status(TaskState.TASK_STATE_INPUT_REQUIRED));
      const second = await again(store);
      assert.deepEqual(await taskWriter(second).unfinished(), []);
      const waits = await second.load("ann", "t");
      assert.equal(waits?.task.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
      const resumed = { ...taskWith("t"), history: [...waits.task.history, said("m2", "Yes.")] };
      const claims = await Promise.all([
        second.claim("ann", "m2", resumed, { version: waits.version }),
        second.claim("ann", "m2", taskWith("other"), { version: 0 }),
      ]);
      assert.deepEqual(
        claims.map(({ taskId, first }) => [taskId, first]),
        [
          ["t", true],
          ["t", false],
        ],
      );
      const last = await again(second);
      assert.deepEqual(await Promise.all(["m1", "m2"].map((id) => last.taskOf("ann", id))), ["t", "t"]);
      assert.deepEqual(
        (await last.load("ann", "t"))?.task.history.map((message) => message.messageId),
        ["m1", "m2"],
      );
    }),
  ];
};
