import assert from "node:assert/strict";

import { virtualClock } from "@troupe/core/testing";

import type { PushConfig, PushConfigs, PushTask } from "../../store/push-configs.ts";
import type { TaskStore } from "../../store/task-store.ts";
import { taskWriter } from "../task-writer.ts";
import type { ContractCase, MakeCases } from "./contract-case.ts";
import { doneTask, taskWith } from "./fixtures.ts";

const ann: PushTask = { owner: "ann", taskId: "t" };
const config = (id: string, more: Partial<PushConfig> = {}): PushConfig => ({
  id,
  url: `https://${id}.example/hook`,
  token: "",
  version: "1.0",
  ...more,
});

/** Whom to notify is kept with the task, for a store that can. */
export const pushCases: MakeCases = ({ open, reopen }) => {
  const on = (name: string, run: (push: PushConfigs, store: TaskStore) => Promise<void>): ContractCase => ({
    name,
    run: async () => {
      const store = await open({ clock: virtualClock(), maxTasks: 1 });
      if (store.push === undefined) return;
      await taskWriter(store).claim("ann", "m", taskWith("t"));
      await run(store.push, store);
    },
  });
  const cases = [
    on("keeps push configs as they came, in order, in place of one with the same id", async (push) => {
      const whole = config("b", { token: "s", authentication: { scheme: "Bearer", credentials: "c" } });
      assert.equal(await push.put(ann, whole, ""), true);
      assert.equal(await push.put(ann, config("a"), "now"), true);
      assert.equal(await push.put(ann, { ...whole, url: "https://other.example/" }, "later"), true);
      assert.deepEqual(await push.list(ann), [
        { config: { ...whole, url: "https://other.example/" }, told: "later", state: "open" },
        { config: config("a"), told: "now", state: "open" },
      ]);
      await push.remove(ann, "b");
      await push.remove(ann, "nothing");
      assert.deepEqual(await idsOf(push), ["a"]);
    }),
    on("keeps no push config of what is somebody else's, or not there", async (push) => {
      const bob = { owner: "bob", taskId: "t" };
      assert.equal(await push.put(bob, config("a"), ""), false);
      assert.equal(await push.put({ owner: "ann", taskId: "x" }, config("a"), ""), false);
      await push.put(ann, config("a"), "");
      assert.deepEqual(await push.list(bob), []);
      await push.remove(bob, "a");
      await push.note(bob, "a", { told: "x", state: "done" });
      assert.deepEqual(await push.list(ann), [{ config: config("a"), told: "", state: "open" }]);
    }),
    on(
      "knows what was told, also when the same push config comes again, and which are open",
      async (push) => {
        await push.put(ann, config("a"), "");
        await push.put(ann, config("b"), "");
        await push.note(ann, "a", { told: "end", state: "done" });
        await push.note(ann, "nothing", { told: "end", state: "done" });
        await push.put(ann, config("a"), "");
        assert.deepEqual((await push.list(ann))[0], { config: config("a"), told: "end", state: "done" });
        assert.deepEqual(await openOf(push), [ann]);
        await push.note(ann, "b", { told: "", state: "disabled" });
        assert.deepEqual(await openOf(push), []);
        await push.put(ann, config("a", { token: "new" }), "");
        assert.deepEqual(await openOf(push), [ann]);
      },
    ),
    on("lets push configs go with their task", async (push, store) => {
      const writer = taskWriter(store);
      await push.put(ann, config("a"), "");
      for (const id of ["t", "u"]) await writer.claim("ann", `done ${id}`, doneTask(id));
      await writer.claim("ann", "next", taskWith("next"));
      assert.deepEqual(await openOf(push), []);
      await writer.claim("ann", "again", taskWith("t"));
      assert.deepEqual(await push.list(ann), []);
    }),
  ];
  if (reopen === undefined) return cases;
  const durable: ContractCase = {
    name: "keeps push configs where the store outlives its process",
    run: async () => {
      const settings = { clock: virtualClock() };
      const store = await open(settings);
      if (store.push === undefined) return;
      await taskWriter(store).claim("ann", "m", taskWith("t"));
      await store.push.put(ann, config("a", { token: "s" }), "");
      await store.push.note(ann, "a", { told: "x", state: "open" });
      const { push } = await reopen(store, settings);
      assert.deepEqual(await push?.list(ann), [
        { config: config("a", { token: "s" }), told: "x", state: "open" },
      ]);
      assert.deepEqual(push && (await openOf(push)), [ann]);
    },
  };
  return [...cases, durable];
};

async function idsOf(push: PushConfigs): Promise<readonly string[]> {
  return (await push.list(ann)).map((kept) => kept.config.id);
}

async function openOf(push: PushConfigs): Promise<readonly PushTask[]> {
  const found: PushTask[] = [];
  for await (const task of push.open()) found.push(task);
  return found;
}
