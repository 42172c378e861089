import assert from "node:assert/strict";

import { TaskState } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";

import { liveTask } from "../../wire/apply-event.ts";
import { textOf } from "../../wire/parts.ts";
import type { TaskQuery } from "../../store/task-store.ts";
import { taskWriter, type TaskWriter } from "../task-writer.ts";
import type { ContractCase, MakeCases } from "./contract-case.ts";
import { ALL, chunk, doneTask, idsOf, status, taskWith } from "./fixtures.ts";

/** What was saved is loaded and listed. */
export const readingCases: MakeCases = ({ open }) => {
  const on = (name: string, run: (writer: TaskWriter) => Promise<void>): ContractCase => ({
    name,
    run: async () => run(taskWriter(await open({ clock: virtualClock() }))),
  });
  return [
    on("what was saved is loaded, and n chunks are not n parts", async (writer) => {
      const live = liveTask(taskWith("t"));
      await writer.claim("ann", "m", live.task);
      for (let i = 0; i < 500; i++) {
        live.apply(chunk(`${i} `, i > 0));
        await writer.save("ann", live.task, [chunk(`${i} `, i > 0)]);
      }
      live.apply(status(TaskState.TASK_STATE_COMPLETED));
      await writer.save("ann", live.task, [status(TaskState.TASK_STATE_COMPLETED)]);
      const loaded = await writer.load("ann", "t");
      assert.equal(loaded?.status?.state, TaskState.TASK_STATE_COMPLETED);
      const parts = loaded.artifacts.flatMap((artifact) => artifact.parts);
      assert.ok(parts.length <= 8, `${parts.length} parts`);
      assert.equal(textOf(parts), Array.from({ length: 500 }, (_, i) => `${i} `).join(""));
    }),
    on("what was loaded is the caller's own", async (writer) => {
      const live = liveTask(taskWith("t"));
      await writer.claim("ann", "m", live.task);
      live.apply(chunk("kept", false));
      await writer.save("ann", live.task, [chunk("kept", false)]);
      const loaded = await writer.load("ann", "t");
      if (loaded !== undefined) {
        loaded.artifacts[0]?.parts.pop();
        loaded.artifacts.pop();
        loaded.history.push(...loaded.history);
      }
      assert.equal((await writer.load("ann", "t"))?.artifacts[0]?.parts.length, 1);
    }),
    on("pages tasks of one moment too, latest first, while others are updated", async (writer) => {
      const { store } = writer;
      for (let i = 0; i < 5; i++) await writer.claim("ann", `m${i}`, taskWith(`t${i}`));
      const first = await store.list("ann", { pageSize: 2, pageToken: "" });
      await writer.claim("ann", "again", taskWith("t4", { timestamp: "2026-02-01T00:00:00.000Z" }));
      const rest = await store.list("ann", { pageSize: 50, pageToken: first.nextPageToken });
      const ids = [...first.tasks, ...rest.tasks].map((task) => task.id);
      assert.deepEqual(ids, ["t4", "t3", "t2", "t1", "t0"]);
      assert.equal(rest.nextPageToken, "");
    }),
    on("lists newest first, page by page, by context, state and time", async (writer) => {
      const { store } = writer;
      for (let i = 0; i < 5; i++) {
        const timestamp = `2026-01-0${i + 1}T00:00:00.000Z`;
        const state = i === 2 ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_COMPLETED;
        const contextId = i < 4 ? "c" : "other";
        await writer.claim("ann", `m${i}`, taskWith(`t${i}`, { state, timestamp, contextId }));
      }
      const ids = idsOf.bind(undefined, store, "ann");
      assert.deepEqual(await ids({}), ["t4", "t3", "t2", "t1", "t0"]);
      assert.deepEqual(await ids({ contextId: "c" }), ["t3", "t2", "t1", "t0"]);
      assert.deepEqual(await ids({ state: TaskState.TASK_STATE_FAILED }), ["t2"]);
      assert.deepEqual(await ids({ updatedAfter: "2026-01-03T00:00:00.000Z" }), ["t4", "t3"]);
      const both = { contextId: "c", updatedAfter: "2026-01-02T00:00:00.000Z" };
      assert.deepEqual(await ids({ ...both, state: TaskState.TASK_STATE_COMPLETED }), ["t3"]);
      const seen: string[] = [];
      let pageToken = "";
      do {
        const page = await store.list("ann", { pageSize: 2, pageToken });
        assert.equal(page.totalSize, 5);
        seen.push(...page.tasks.map((task) => task.id));
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      assert.deepEqual(seen, ["t4", "t3", "t2", "t1", "t0"]);
    }),
    on("ends a page by bytes too, with one task at least, and goes on behind it", async (writer) => {
      const { store } = writer;
      const sizes = [10_000, 10, 10, 60_000, 10];
      for (const [i, chars] of sizes.entries()) {
        const live = liveTask(taskWith(`t${i}`, { timestamp: `2026-01-0${i + 1}T00:00:00.000Z` }));
        await writer.claim("ann", `m${i}`, live.task);
        // Of a task that runs, what it has come to counts, and not what it began with.
        live.apply(chunk("x".repeat(chars), false));
        await writer.save("ann", live.task, [chunk("x".repeat(chars), false)]);
      }
      const pages = async (query: Partial<TaskQuery>): Promise<readonly string[]> => {
        const found: string[] = [];
        let pageToken = "";
        do {
          const page = await store.list("ann", { ...ALL, ...query, pageToken });
          assert.equal(page.totalSize, 5);
          found.push(page.tasks.map((task) => task.id).join(" "));
          pageToken = page.nextPageToken;
        } while (pageToken !== "");
        return found;
      };
      assert.deepEqual(await pages({ maxBytes: 1 }), ["t4", "t3", "t2", "t1", "t0"]);
      assert.deepEqual(await pages({ maxBytes: 10_000 }), ["t4", "t3", "t2 t1", "t0"]);
      assert.deepEqual(await pages({ maxBytes: 10_000, pageSize: 1 }), ["t4", "t3", "t2", "t1", "t0"]);
      assert.deepEqual(await pages({ maxBytes: 60_000 }), ["t4", "t3", "t2 t1 t0"]);
      assert.deepEqual(await pages({ maxBytes: 1_000_000 }), ["t4 t3 t2 t1 t0"]);
    }),
    on("a status that was saved is what a task is found by", async (writer) => {
      const live = liveTask(taskWith("t"));
      await writer.claim("ann", "m", live.task);
      live.apply(status(TaskState.TASK_STATE_SUBMITTED));
      await writer.save("ann", live.task, [status(TaskState.TASK_STATE_SUBMITTED)]);
      const { store } = writer;
      assert.deepEqual(await idsOf(store, "ann", { state: TaskState.TASK_STATE_SUBMITTED }), ["t"]);
      assert.deepEqual(await idsOf(store, "ann", { updatedAfter: "2026-01-01T12:00:00.000Z" }), ["t"]);
    }),
    on("knows what is unfinished, of every owner, but not what waits for somebody", async (writer) => {
      await writer.claim("ann", "m1", taskWith("working"));
      await writer.claim("bob", "m2", taskWith("asks", { state: TaskState.TASK_STATE_INPUT_REQUIRED }));
      await writer.claim("bob", "m3", doneTask("done"));
      assert.deepEqual(await writer.unfinished(), ["ann working"]);
    }),
  ];
};
