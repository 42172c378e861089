import { TaskState } from "@a2a-js/sdk";
import { silentLog, StoreError } from "@troupe/core";
import { gate, virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import type { TaskStore } from "../../store/task-store.ts";
import { chunk, status, taskWith } from "../../testing/task-store/fixtures.ts";
import { liveTask } from "../../wire/apply-event.ts";
import { TaskSaver } from "./task-saver.ts";

/** What happens to a write: it comes through, it fails, or it comes through and its answer is lost. */
type Fate = "stored" | "failed" | "unanswered";

async function saving(fates: readonly Fate[]) {
  const clock = virtualClock();
  // Shared, so that it keeps what was saved and not the live task.
  const store = createMemoryTaskStore({ clock, leaseMs: 5_000 });
  const rest = [...fates];
  const fated: TaskStore = {
    ...store,
    shared: store.shared as NonNullable<TaskStore["shared"]>,
    async save(...save) {
      const fate = rest.shift() ?? "stored";
      if (fate === "failed") throw new StoreError("store.io", "away");
      const version = await store.save(...save);
      if (fate === "unanswered") throw new StoreError("store.io", "the connection broke");
      return version;
    },
  };
  const live = liveTask(taskWith("t"));
  const { version } = await store.claim("", "m", live.task, { version: 0, holder: "h" });
  const closing = new AbortController();
  const lost = gate();
  const saver = new TaskSaver({
    store: fated,
    owner: "",
    task: live.task,
    version,
    holder: "h",
    clock,
    log: silentLog,
    onLost: () => lost.open(),
    onAway: () => undefined,
    closing: closing.signal,
  });
  const push = (text: string): void => {
    live.apply(chunk(text, true));
    saver.push(chunk(text, true));
  };
  const say = (state: TaskState): void => {
    live.apply(status(state));
    saver.push(status(state));
  };
  return { clock, store, live, saver, push, say, closing, lost: lost.opened };
}

describe("what a running task is saved by", () => {
  it("catches up with a store that was away, whatever came through: nothing is lost, nothing twice", async () => {
    const fate = fc.constantFrom<Fate>("stored", "failed", "unanswered");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 12 }),
        fc.array(fc.nat(2), { maxLength: 12 }),
        async (fates, turns) => {
          const { clock, store, live, saver, push } = await saving(fates);
          for (const [i, turn] of turns.entries()) {
            push(`[${i}]`);
            if (turn > 0) await clock.advance(turn * 40);
          }
          await clock.advance(60_000);
          await saver.saved();
          const stored = await store.load("", "t");
          expect(stored?.task).toEqual(live.snapshot());
          expect(stored?.version).toBe(saver.version);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("gathers text for a while, and writes anything else, and what somebody waits for, at once", async () => {
    const { clock, saver, push, say } = await saving([]);
    const versions: number[] = [];
    const look = async (ms: number): Promise<void> => {
      await clock.advance(ms);
      versions.push(saver.version);
    };
    push("a");
    await look(40);
    push("b");
    await look(60);
    push("c");
    await look(40);
    say(TaskState.TASK_STATE_WORKING);
    await look(0);
    push("d");
    await saver.saved();
    versions.push(saver.version);
    // Claimed at 1; then a and b, c and the state, d.
    expect(versions).toEqual([1, 2, 2, 3, 4]);
    expect(clock.pending).toBe(0);
  });

  it("stops when somebody else has the task, and says so once", async () => {
    const { clock, store, saver, push, lost, live } = await saving([]);
    const ended = taskWith("t", { state: TaskState.TASK_STATE_FAILED });
    await store.save("", ended, [{ $case: "task", value: ended }], { version: 1, holder: "other" });
    push("late");
    await clock.advance(100);
    await lost;
    push("later");
    await saver.saved();
    expect((await store.load("", "t"))?.task).toEqual(ended);
    expect(live.task.artifacts).toHaveLength(1);
  });

  it("stops where the task was taken over while the store was away", async () => {
    const { store, saver, push, lost, clock } = await saving(["failed"]);
    await store.shared?.renew("other");
    await store.shared?.take("", "t", { version: 1, holder: "other" });
    push("late");
    await clock.advance(1_000);
    await lost;
    await saver.saved();
    expect((await store.load("", "t"))?.holder?.id).toBe("other");
  });

  it("waits for no store at the end, beyond one more attempt", async () => {
    const { saver, push, closing } = await saving(["failed", "failed", "failed", "failed"]);
    closing.abort();
    push("lost");
    await expect(saver.saved()).resolves.toBeUndefined();
  });
});
