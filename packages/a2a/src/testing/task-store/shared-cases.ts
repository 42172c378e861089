import assert from "node:assert/strict";

import { TaskState } from "@a2a-js/sdk";
import { virtualClock, type VirtualClock } from "@troupe/core/testing";

import type { SharedTasks } from "../../store/shared-tasks.ts";
import type { TaskStore } from "../../store/task-store.ts";
import { liveTask } from "../../wire/apply-event.ts";
import { textOf } from "../../wire/parts.ts";
import { taskWriter } from "../task-writer.ts";
import type { ContractCase, MakeCases } from "./contract-case.ts";
import { chunk, doneTask, refused, status, taskWith } from "./fixtures.ts";

type Hand = TaskStore & { readonly shared: SharedTasks };

/** Two runtimes on one store. */
export const sharedCases: MakeCases = ({ open, another }) => {
  if (another === undefined) return [];
  const on = (
    name: string,
    run: (one: Hand, two: Hand, clock: VirtualClock) => Promise<void>,
  ): ContractCase => ({
    name,
    run: async () => {
      const settings = { clock: virtualClock() };
      const first = await open(settings);
      await run(sharing(first), sharing(await another(first, settings)), settings.clock);
    },
  });
  return [
    on("one of many claims of a message at both is the first", async (one, two) => {
      for (let round = 0; round < 5; round++) {
        const claims = await Promise.all(
          Array.from({ length: 6 }, (_, i) =>
            (i % 2 === 0 ? one : two).claim("ann", `m${round}`, taskWith(`t${round}-${i}`), { version: 0 }),
          ),
        );
        assert.equal(claims.filter(({ first }) => first).length, 1);
        assert.equal(new Set(claims.map(({ taskId }) => taskId)).size, 1);
      }
      const { totalSize } = await two.list("ann", { pageSize: 50, pageToken: "" });
      assert.equal(totalSize, 5);
    }),
    on("one of many replies to a task at both goes on with it", async (one, two) => {
      const asks = taskWith("t", { state: TaskState.TASK_STATE_INPUT_REQUIRED });
      const { version } = await one.claim("ann", "m", asks, { version: 0 });
      const claims = await Promise.allSettled(
        Array.from({ length: 6 }, (_, i) =>
          (i % 2 === 0 ? one : two).claim("ann", `reply${i}`, taskWith("t"), { version }),
        ),
      );
      assert.equal(claims.filter((claim) => claim.status === "fulfilled" && claim.value.first).length, 1);
    }),
    on("of saves from one version at both one is kept", async (one, two) => {
      const { version } = await one.claim("ann", "m", taskWith("t"), { version: 0 });
      const saves = await Promise.allSettled(
        [one, two, one, two].map((hand, i) => {
          const live = liveTask(taskWith("t"));
          live.apply(chunk(`${i}`, false));
          return hand.save("ann", live.task, [chunk(`${i}`, false)], { version });
        }),
      );
      const kept = saves.flatMap((save, i) => (save.status === "fulfilled" ? [`${i}`] : []));
      assert.equal(kept.length, 1);
      const { task } = (await two.load("ann", "t")) ?? { task: taskWith("none") };
      assert.equal(textOf(task.artifacts[0]?.parts ?? []), kept[0]);
    }),
    on(
      "what a holder works on is left alone while it renews, then taken over once",
      async (one, two, clock) => {
        const { leaseMs } = one.shared;
        for (const holder of ["h1", "h2", "h3"]) await one.shared.renew(holder);
        const { version } = await one.claim("ann", "m", taskWith("t"), { version: 0, holder: "h1" });
        assert.deepEqual((await two.load("ann", "t"))?.holder, { id: "h1", alive: true });
        for (let i = 0; i < 3; i++) {
          await clock.advance(leaseMs - 1);
          for (const holder of ["h1", "h2", "h3"]) await one.shared.renew(holder);
          assert.deepEqual(await taskWriter(two).unfinished(), []);
          await refused(two.shared.take("ann", "t", { version, holder: "h2" }));
        }
        await clock.advance(leaseMs - 1);
        for (const holder of ["h2", "h3"]) await two.shared.renew(holder);
        await clock.advance(1);
        assert.deepEqual(await taskWriter(two).unfinished(), ["ann t"]);
        assert.deepEqual((await two.load("ann", "t"))?.holder, { id: "h1", alive: false });
        const takes = await Promise.allSettled([
          two.shared.take("ann", "t", { version, holder: "h2" }),
          one.shared.take("ann", "t", { version, holder: "h3" }),
        ]);
        const taken = takes.flatMap((take) => (take.status === "fulfilled" ? [take.value] : []));
        assert.equal(taken.length, 1);
        assert.deepEqual(await taskWriter(one).unfinished(), []);
        // The one that fell silent comes back and finds that it is too late.
        await one.shared.renew("h1");
        await refused(one.save("ann", doneTask("t"), [], { version, holder: "h1" }));
        assert.equal((await one.load("ann", "t"))?.version, taken[0]);
      },
    ),
    on("what a holder lets go of is free at once; what has settled is nobody's", async (one, two) => {
      await one.shared.renew("h1");
      const { version } = await one.claim("ann", "m", taskWith("t"), { version: 0, holder: "h1" });
      await one.claim("ann", "m2", doneTask("done"), { version: 0, holder: "h1" });
      assert.equal((await two.load("ann", "done"))?.holder, undefined);
      await one.shared.release("h1");
      assert.deepEqual(await taskWriter(two).unfinished(), ["ann t"]);
      await two.shared.renew("h2");
      const taken = await two.shared.take("ann", "t", { version, holder: "h2" });
      await two.save("ann", doneTask("t"), [status(TaskState.TASK_STATE_COMPLETED)], {
        version: taken,
        holder: "h2",
      });
      assert.equal((await one.load("ann", "t"))?.holder, undefined);
      await refused(one.shared.take("ann", "t", { version: taken + 1, holder: "h1" }));
    }),
    on("a holder hears who is to be canceled, of what it holds, until it has settled", async (one, two) => {
      for (const holder of ["h1", "h2"]) await one.shared.renew(holder);
      const { version } = await one.claim("ann", "m", taskWith("t"), { version: 0, holder: "h1" });
      await one.claim("ann", "m2", taskWith("other"), { version: 0, holder: "h2" });
      await one.claim("ann", "m3", doneTask("done"), { version: 0, holder: "h1" });
      assert.deepEqual(await one.shared.asked("h1"), []);
      await two.shared.askCancel("bob", "t");
      assert.deepEqual(await one.shared.asked("h1"), []);
      for (const id of ["t", "done", "none"]) await two.shared.askCancel("ann", id);
      assert.deepEqual(await one.shared.asked("h1"), [{ owner: "ann", taskId: "t" }]);
      assert.deepEqual(await one.shared.asked("h2"), []);
      const live = liveTask(taskWith("t"));
      live.apply(status(TaskState.TASK_STATE_CANCELED));
      const change = status(TaskState.TASK_STATE_CANCELED);
      await one.save("ann", live.task, [change], { version, holder: "h1" });
      assert.deepEqual(await one.shared.asked("h1"), []);
    }),
    on("whoever follows from elsewhere misses nothing and gets nothing twice", async (one, two) => {
      await one.shared.renew("h1");
      const live = liveTask(taskWith("t"));
      let { version } = await one.claim("ann", "m", live.task, { version: 0, holder: "h1" });
      const put = async (...events: ReturnType<typeof chunk>[]): Promise<void> => {
        for (const event of events) live.apply(event);
        version = await one.save("ann", live.task, events, { version, holder: "h1" });
      };
      await put(chunk("0", false));
      const seen = await two.load("ann", "t");
      if (seen === undefined) throw new Error("the task is not there");
      const followed = liveTask(seen.task);
      let at = seen.version;
      const follow = async (): Promise<void> => {
        const updates = await two.shared.updates("ann", "t", at);
        if (updates === undefined) throw new Error("updates are missing");
        for (const event of updates.events) followed.apply(event);
        at = updates.version;
      };
      await follow();
      for (let i = 1; i <= 30; i++) {
        await put(chunk(`,${i}`, true), chunk(".", true));
        if (i % 7 === 0) await follow();
      }
      await put(status(TaskState.TASK_STATE_WORKING, { note: 1 }), chunk("!", true));
      await put(status(TaskState.TASK_STATE_COMPLETED));
      await follow();
      await follow();
      assert.equal(at, version);
      assert.deepEqual(followed.snapshot(), live.snapshot());
      assert.equal(await two.shared.updates("bob", "t", 1), undefined);
      assert.equal(await two.shared.updates("ann", "t", version + 1), undefined);
    }),
  ];
};

function sharing(store: TaskStore): Hand {
  const { shared } = store;
  if (shared === undefined) throw new Error("a store that has another hand on it has to be shared");
  return { ...store, shared };
}
