import { Role, TaskState } from "@a2a-js/sdk";
import { gate, virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import { answering, scriptedAgent } from "../../testing/index.ts";
import { runtimeOptions } from "../../testing/runtime-options.ts";
import { said } from "../../testing/task-store/fixtures.ts";
import type { WireEvent } from "../../wire/parts.ts";
import { isSettled } from "../../wire/state.ts";
import { AgentRuntime } from "./agent-runtime.ts";

const ENDED = TaskState.TASK_STATE_COMPLETED;

function stateIn(event: WireEvent): TaskState | undefined {
  return event.$case === "statusUpdate" || event.$case === "task" ? event.value.status?.state : undefined;
}

it("stores how a turn ended before anybody hears of it", async () => {
  const clock = virtualClock();
  const store = createMemoryTaskStore({ clock });
  const [ending, stored] = [gate(), gate()];
  const told: (TaskState | undefined)[] = [];
  const runtime = new AgentRuntime(
    runtimeOptions({
      agent: scriptedAgent(() => answering(["hello"])),
      store: {
        ...store,
        async save(owner, task, ...rest) {
          if (isSettled(task.status?.state)) {
            ending.open();
            await stored.opened;
          }
          return store.save(owner, task, ...rest);
        },
      },
      clock,
      changed: (_, snapshot) => told.push(snapshot().status?.state),
    }),
  );
  const message = { ...said("m", "go"), taskId: "", contextId: "", role: Role.ROLE_USER };
  const found = await runtime.submit(message, { owner: "", structured: false });
  if (!("run" in found)) throw new Error("it did not start");
  const { run } = found;
  const follow = async (seen: (TaskState | undefined)[]): Promise<void> => {
    for await (const { event } of run.subscribe()) seen.push(stateIn(event));
  };
  const [early, late]: [typeof told, typeof told] = [[], []];
  const readers = [follow(early)];
  let settled = false;
  void run.whenSettled.then(() => (settled = true));
  try {
    await ending.opened;
    readers.push(follow(late));
    // Whatever was told by now has been read.
    for (let turn = 0; turn < 3; turn++) await yieldToLoop();
    expect(early).not.toContain(ENDED);
    expect(told).not.toContain(ENDED);
    expect(settled).toBe(false);
    // Nor does it hear of it who asks now, or follows it from now on.
    expect(run.snapshot().status?.state).toBe(TaskState.TASK_STATE_WORKING);
    expect(late).toEqual([TaskState.TASK_STATE_WORKING]);
  } finally {
    stored.open();
  }
  await Promise.all(readers);
  expect(early.at(-1)).toBe(ENDED);
  expect(late).toEqual([TaskState.TASK_STATE_WORKING, ENDED]);
  expect(told.at(-1)).toBe(ENDED);
  const kept = await store.load("", run.id);
  expect(run.snapshot()).toEqual(kept?.task);
});
