import { Role, type Message, type Task } from "@a2a-js/sdk";
import { systemClock } from "@troupe/core";
import type { AgentEventBody } from "@troupe/stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import { answering, scriptedAgent } from "../../testing/index.ts";
import { runtimeOptions } from "../../testing/runtime-options.ts";
import { copyTask, liveTask } from "../../wire/apply-event.ts";
import { textPart } from "../../wire/parts.ts";
import { isSettled } from "../../wire/state.ts";
import { AgentRuntime } from "./agent-runtime.ts";
import { followFound } from "./follow-found.ts";

const message: Message = {
  messageId: "m",
  contextId: "",
  taskId: "",
  role: Role.ROLE_USER,
  parts: [textPart("go")],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
};

/** What an agent does: so many updates in one turn of the loop, then turns of rest. */
const bursts = fc.array(fc.record({ events: fc.integer({ min: 1, max: 40 }), rest: fc.nat({ max: 3 }) }), {
  minLength: 1,
  maxLength: 6,
});
/** What a reader does: when it joins, how fast it reads, and after how many updates it leaves, each time. */
const readers = fc.array(
  fc.record({
    joins: fc.nat({ max: 8 }),
    rests: fc.nat({ max: 2 }),
    leaves: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Reads until the task is at rest, coming back with the last id it had whenever its stream ended. */
async function follow(
  runtime: AgentRuntime,
  taskId: string,
  { joins, rests, leaves }: { joins: number; rests: number; leaves: readonly number[] },
): Promise<{ readonly task: Task; readonly replayed: number }> {
  for (let i = 0; i < joins; i++) await yieldToLoop();
  let task: ReturnType<typeof liveTask> | undefined;
  let lastEventId: string | undefined;
  let replayed = 0;
  for (let visit = 0; ; visit++) {
    const patience = leaves[visit] ?? Infinity;
    const found = await runtime.find("", taskId);
    const left = new AbortController();
    let taken = 0;
    for await (const { id, event } of followFound(found, { lastEventId, signal: left.signal })) {
      if (event.$case === "task") task = liveTask(event.value);
      else {
        if (taken === 0 && visit > 0) replayed++;
        task?.apply(event);
      }
      lastEventId = id;
      if (++taken >= patience) left.abort();
      for (let i = 0; i < rests; i++) await yieldToLoop();
    }
    if (task === undefined) throw new Error("the first stream began with no snapshot");
    // A reader that was let go because it was too slow comes back, also when all has been told.
    if (!left.signal.aborted && isSettled(task.task.status?.state)) return { task: task.task, replayed };
  }
}

it("every reader ends with the task as it is stored: nothing lost, nothing twice", async () => {
  let replayed = 0;
  await fc.assert(
    fc.asyncProperty(bursts, readers, fc.integer({ min: 2, max: 60 }), async (work, crowd, events) => {
      const agent = scriptedAgent(async function* () {
        let n = 0;
        const chunks: string[] = [];
        yield { type: "text-start", itemId: "answer", role: "answer" };
        for (const { events: count, rest } of work) {
          for (let i = 0; i < count; i++) {
            const chunk = `[${n++}]`;
            if (n % 3 === 0) yield* toolCall(`call-${n}`);
            chunks.push(chunk);
            yield { type: "text-delta", itemId: "answer", delta: chunk };
          }
          for (let i = 0; i < rest; i++) await yieldToLoop();
        }
        yield* answering([chunks.join("")]).slice(-2);
      });
      const store = createMemoryTaskStore({ clock: systemClock });
      const replay = { events, bytes: 1_000_000 };
      const runtime = new AgentRuntime(runtimeOptions({ agent, store, clock: systemClock, replay }));
      const found = await runtime.submit(message, { owner: "", structured: true });
      if (!("run" in found)) throw new Error("it did not start");
      const { id } = found.run;
      const read = await Promise.all(crowd.map((reader) => follow(runtime, id, reader)));
      const stored = await store.load("", id);
      if (stored === undefined) throw new Error("it was not stored");
      for (const { task, replayed: count } of read) {
        expect(copyTask(task)).toEqual(stored.task);
        replayed += count;
      }
    }),
    { numRuns: 40 },
  );
  expect(replayed).toBeGreaterThan(0);
});

function toolCall(callId: string): readonly AgentEventBody[] {
  return [
    { type: "tool-start", callId, tool: "look", arguments: null },
    { type: "tool-end", callId, tool: "look", status: "ok", summary: "seen", ms: 1 },
  ];
}
