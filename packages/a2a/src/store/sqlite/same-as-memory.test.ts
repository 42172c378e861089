import { Role, TaskState, type Message, type Task } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { liveTask, type LiveTask } from "../../wire/apply-event.ts";
import { artifactOf, textPart, type WireEvent } from "../../wire/parts.ts";
import { createMemoryTaskStore } from "../memory-task-store.ts";
import type { TaskStore } from "../task-store.ts";
import { openSqliteTaskStore } from "./sqlite-task-store.ts";

const owner = fc.constantFrom("", "ann");
const id = fc.constantFrom("a", "b", "c", "d");
const state = fc.constantFrom(
  TaskState.TASK_STATE_WORKING,
  TaskState.TASK_STATE_INPUT_REQUIRED,
  TaskState.TASK_STATE_COMPLETED,
);
/** As it comes over the wire: JSON has no -0. */
const note = fc.json().map((text): unknown => JSON.parse(text));
const step = fc.oneof(
  fc.record({ do: fc.constant("claim"), owner, id, state, message: fc.nat(8).map((n) => `m${n}`) }),
  fc.record({
    do: fc.constant("text"),
    owner,
    id,
    text: fc.string({ unit: "binary" }),
    append: fc.boolean(),
  }),
  fc.record({ do: fc.constant("status"), owner, id, state, note }),
  fc.record({ do: fc.constant("wait"), ms: fc.nat(60) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const LIMITS = { maxTasks: 3, maxAgeMs: 100, maxBytes: Number.MAX_SAFE_INTEGER };
const head = { taskId: "", contextId: "c" };
const timestamp = (now: number): string => new Date(now).toISOString();

function said(messageId: string): Message {
  const rest = { contextId: "c", taskId: "", metadata: undefined, extensions: [], referenceTaskIds: [] };
  return { ...rest, messageId, role: Role.ROLE_USER, parts: [textPart(messageId)] };
}

/** Plays the steps; the answers of the store, and what it holds at the end. */
async function play(steps: readonly Step[], make: (clock: ReturnType<typeof virtualClock>) => TaskStore) {
  const clock = virtualClock();
  const store = make(clock);
  const live = new Map<string, LiveTask>();
  const seen: unknown[] = [];
  const save = async (
    of: { readonly owner: string; readonly id: string },
    event: WireEvent,
  ): Promise<void> => {
    const task = live.get(`${of.owner}/${of.id}`);
    if (task === undefined) return;
    task.apply(event);
    await store.save(of.owner, task.task, [event]);
  };
  for (const one of steps) {
    if (one.do === "wait") await clock.advance("ms" in one ? one.ms : 0);
    else if ("message" in one) {
      const status = { state: one.state, message: undefined, timestamp: timestamp(clock.now()) };
      const history = [said(one.message)];
      const task: Task = {
        id: one.owner + one.id,
        contextId: "c",
        status,
        artifacts: [],
        history,
        metadata: undefined,
      };
      const next = liveTask(task);
      const known = await store.taskOf(one.owner, one.message);
      seen.push(await store.claim(one.owner, one.message, next.task));
      if (known === undefined) live.set(`${one.owner}/${one.id}`, next);
    } else if ("text" in one) {
      const artifact = artifactOf("x", "answer", [textPart(one.text)]);
      const value = { ...head, artifact, append: one.append, lastChunk: false, metadata: undefined };
      await save(one, { $case: "artifactUpdate", value });
    } else if ("note" in one) {
      const status = { state: one.state, message: undefined, timestamp: timestamp(clock.now()) };
      await save(one, { $case: "statusUpdate", value: { ...head, status, metadata: { note: one.note } } });
    }
    seen.push(await store.unfinished());
  }
  for (const of of ["", "ann"]) {
    const first = await store.list(of, { pageSize: 2, pageToken: "" });
    const rest = await store.list(of, { pageSize: 2, pageToken: first.nextPageToken });
    seen.push([...first.tasks], first.totalSize, first.nextPageToken === "" ? [] : [...rest.tasks]);
    for (const one of ["a", "b", "c", "d"]) seen.push(await store.load(of, of + one));
    for (let n = 0; n <= 8; n++) seen.push(await store.taskOf(of, `m${n}`));
  }
  return seen;
}

it("keeps and drops what the store in memory keeps and drops, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const memory = await play(steps, (clock) => createMemoryTaskStore({ clock, ...LIMITS }));
      const sqlite = await play(steps, (clock) =>
        openSqliteTaskStore({ path: ":memory:", clock, ...LIMITS }),
      );
      expect(sqlite).toEqual(memory);
    }),
    { numRuns: 100 },
  );
});
