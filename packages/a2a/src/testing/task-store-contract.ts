import assert from "node:assert/strict";

import { Role, TaskState, type Message, type Task } from "@a2a-js/sdk";

import type { TaskQuery, TaskStore } from "../store/task-store.ts";
import { liveTask } from "../wire/apply-event.ts";
import { artifactOf, dataPart, textOf, textPart, type WireEvent } from "../wire/parts.ts";

/** One requirement of the port, for whatever test runner there is. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

const ALL: TaskQuery = { pageSize: 50, pageToken: "" };

/**
 * What every TaskStore keeps to. `open` makes an empty store for each case. One that outlives its
 * process hands in `reopen` too, which lets go of a store and opens what it kept.
 */
export function taskStoreContract(
  open: () => Promise<TaskStore>,
  reopen?: (store: TaskStore) => Promise<TaskStore>,
): readonly ContractCase[] {
  const on = (name: string, run: (store: TaskStore) => Promise<void>): ContractCase => ({
    name,
    run: async () => run(await open()),
  });
  const durable = (name: string, run: (store: TaskStore, again: Reopen) => Promise<void>): ContractCase[] =>
    reopen === undefined ? [] : [on(name, (store) => run(store, reopen))];
  return [
    on("a message leads to one task, whoever is first, and to nobody else's", async (store) => {
      assert.equal(await store.taskOf("ann", "m"), undefined);
      const claims = await Promise.all([
        store.claim("ann", "m", taskWith("t1")),
        store.claim("ann", "m", taskWith("t2")),
      ]);
      assert.equal(claims[0], claims[1]);
      assert.equal(await store.taskOf("ann", "m"), claims[0]);
      assert.equal(await store.taskOf("bob", "m"), undefined);
      assert.equal((await store.list("ann", ALL)).totalSize, 1);
    }),
    on("a task goes on under a second message, and keeps the first", async (store) => {
      await store.claim("ann", "m1", taskWith("t", { state: TaskState.TASK_STATE_INPUT_REQUIRED }));
      const resumed = taskWith("t");
      assert.equal(await store.claim("ann", "m2", resumed), "t");
      assert.equal(await store.taskOf("ann", "m1"), "t");
      const loaded = await store.load("ann", "t");
      assert.equal(loaded?.status?.state, TaskState.TASK_STATE_WORKING);
    }),
    on("what was saved is loaded, and n chunks are not n parts", async (store) => {
      const live = liveTask(taskWith("t"));
      await store.claim("ann", "m", live.task);
      for (let i = 0; i < 2_000; i++) await apply(store, live, chunk(`${i} `, i > 0));
      await apply(store, live, status(TaskState.TASK_STATE_COMPLETED));
      const loaded = await store.load("ann", "t");
      assert.equal(loaded?.status?.state, TaskState.TASK_STATE_COMPLETED);
      const parts = loaded.artifacts.flatMap((artifact) => artifact.parts);
      assert.ok(parts.length <= 8, `${parts.length} parts`);
      assert.equal(textOf(parts), Array.from({ length: 2_000 }, (_, i) => `${i} `).join(""));
    }),
    on("what was loaded is the caller's own", async (store) => {
      const live = liveTask(taskWith("t"));
      await store.claim("ann", "m", live.task);
      await apply(store, live, chunk("kept", false));
      const loaded = await store.load("ann", "t");
      if (loaded !== undefined) {
        loaded.artifacts[0]?.parts.pop();
        loaded.artifacts.pop();
        loaded.history.push(...loaded.history);
      }
      assert.equal((await store.load("ann", "t"))?.artifacts[0]?.parts.length, 1);
    }),
    on("nobody sees another's tasks", async (store) => {
      await store.claim("ann", "m", taskWith("t"));
      assert.equal(await store.load("bob", "t"), undefined);
      assert.deepEqual(await store.list("bob", ALL), { tasks: [], nextPageToken: "", totalSize: 0 });
      await store.save("bob", taskWith("t", { state: TaskState.TASK_STATE_CANCELED }), []);
      assert.equal((await store.load("ann", "t"))?.status?.state, TaskState.TASK_STATE_WORKING);
      assert.equal(await store.claim("bob", "m", taskWith("bobs")), "bobs");
      assert.equal(await store.taskOf("ann", "m"), "t");
    }),
    on("a task nobody claimed is not kept", async (store) => {
      await store.save("ann", taskWith("t"), [chunk("x", false)]);
      assert.equal(await store.load("ann", "t"), undefined);
    }),
    on("pages tasks of one moment too, latest first, while others are updated", async (store) => {
      for (let i = 0; i < 5; i++) await store.claim("ann", `m${i}`, taskWith(`t${i}`));
      const first = await store.list("ann", { pageSize: 2, pageToken: "" });
      const moved = taskWith("t4", { timestamp: "2026-02-01T00:00:00.000Z" });
      await store.claim("ann", "again", moved);
      const rest = await store.list("ann", { pageSize: 50, pageToken: first.nextPageToken });
      const ids = [...first.tasks, ...rest.tasks].map((task) => task.id);
      assert.deepEqual(ids, ["t4", "t3", "t2", "t1", "t0"]);
      assert.equal(rest.nextPageToken, "");
    }),
    on("lists newest first, page by page, by context, state and time", async (store) => {
      for (let i = 0; i < 5; i++) {
        const timestamp = `2026-01-0${i + 1}T00:00:00.000Z`;
        const state = i === 2 ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_COMPLETED;
        const contextId = i < 4 ? "c" : "other";
        await store.claim("ann", `m${i}`, taskWith(`t${i}`, { state, timestamp, contextId }));
      }
      const ids = async (query: Partial<TaskQuery>): Promise<readonly string[]> =>
        (await store.list("ann", { ...ALL, ...query })).tasks.map((task) => task.id);
      assert.deepEqual(await ids({}), ["t4", "t3", "t2", "t1", "t0"]);
      assert.deepEqual(await ids({ contextId: "c" }), ["t3", "t2", "t1", "t0"]);
      assert.deepEqual(await ids({ state: TaskState.TASK_STATE_FAILED }), ["t2"]);
      assert.deepEqual(await ids({ updatedAfter: "2026-01-03T00:00:00.000Z" }), ["t4", "t3"]);
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
    on("knows what is unfinished, of every owner, but not what waits for somebody", async (store) => {
      await store.claim("ann", "m1", taskWith("working"));
      await store.claim("bob", "m2", taskWith("asks", { state: TaskState.TASK_STATE_INPUT_REQUIRED }));
      await store.claim("bob", "m3", taskWith("done", { state: TaskState.TASK_STATE_COMPLETED }));
      const found = (await store.unfinished()).map(({ owner, task }) => `${owner} ${task.id}`);
      assert.deepEqual(found, ["ann working"]);
    }),
    ...durable(
      "a store that is opened again has every task as it was, running or not",
      async (store, again) => {
        const live = liveTask({
          ...taskWith("t"),
          history: [said("m1", "Do it.")],
          metadata: { a: [1, null] },
        });
        await store.claim("ann", "m1", live.task);
        for (let i = 0; i < 50; i++) await apply(store, live, chunk(`${i} `, i > 0));
        await apply(store, live, status(TaskState.TASK_STATE_WORKING, { note: { b: "c" } }));
        await store.claim("ann", "m2", taskWith("done", { state: TaskState.TASK_STATE_COMPLETED }));
        const before = [await store.load("ann", "t"), await store.list("ann", ALL)];
        assert.deepEqual(before[0], live.snapshot());
        const reopened = await again(store);
        assert.deepEqual([await reopened.load("ann", "t"), await reopened.list("ann", ALL)], before);
        assert.equal(await reopened.taskOf("ann", "m1"), "t");
        const found = (await reopened.unfinished()).map(({ owner, task }) => `${owner} ${task.id}`);
        assert.deepEqual(found, ["ann t"]);
        await apply(reopened, live, chunk("and on", true));
        await apply(reopened, live, status(TaskState.TASK_STATE_COMPLETED));
        const ended = await (await again(reopened)).load("ann", "t");
        assert.deepEqual(ended, live.snapshot());
      },
    ),
    ...durable(
      "what waits for a person is answered after the store was opened again",
      async (store, again) => {
        const asked = liveTask({ ...taskWith("t"), history: [said("m1", "Do it.")] });
        await store.claim("ann", "m1", asked.task);
        await apply(store, asked, status(TaskState.TASK_STATE_INPUT_REQUIRED));
        const reopened = await again(store);
        assert.deepEqual(await reopened.unfinished(), []);
        const waits = await reopened.load("ann", "t");
        assert.equal(waits?.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
        const resumed = { ...taskWith("t"), history: [...waits.history, said("m2", "Yes.")] };
        const claims = await Promise.all([
          reopened.claim("ann", "m2", resumed),
          reopened.claim("ann", "m2", taskWith("other")),
        ]);
        assert.deepEqual(claims, ["t", "t"]);
        const last = await again(reopened);
        assert.deepEqual(await Promise.all(["m1", "m2"].map((id) => last.taskOf("ann", id))), ["t", "t"]);
        assert.deepEqual(
          (await last.load("ann", "t"))?.history.map((message) => message.messageId),
          ["m1", "m2"],
        );
      },
    ),
  ];
}

type Reopen = (store: TaskStore) => Promise<TaskStore>;

function said(messageId: string, text: string): Message {
  const raw = { ...textPart(""), content: { $case: "raw" as const, value: Buffer.from("bytes") } };
  return {
    messageId,
    contextId: "c",
    taskId: "t",
    role: Role.ROLE_USER,
    parts: [textPart(text), dataPart({ any: [1, "two"] }), raw],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

async function apply(store: TaskStore, live: ReturnType<typeof liveTask>, event: WireEvent): Promise<void> {
  live.apply(event);
  await store.save("ann", live.task, [event]);
}

function taskWith(
  id: string,
  { state = TaskState.TASK_STATE_WORKING, timestamp = "2026-01-01T00:00:00.000Z", contextId = "c" } = {},
): Task {
  return {
    id,
    contextId,
    status: { state, message: undefined, timestamp },
    artifacts: [],
    history: [],
    metadata: undefined,
  };
}

function chunk(text: string, append: boolean): WireEvent {
  const artifact = artifactOf("a", "streaming_result", [textPart(text)]);
  const value = { taskId: "t", contextId: "c", artifact, append, lastChunk: false, metadata: undefined };
  return { $case: "artifactUpdate", value };
}

function status(state: TaskState, metadata?: { readonly [key: string]: unknown }): WireEvent {
  const timestamp = "2026-01-02T00:00:00.000Z";
  return {
    $case: "statusUpdate",
    value: {
      taskId: "t",
      contextId: "c",
      status: { state, message: undefined, timestamp },
      metadata,
    },
  };
}
