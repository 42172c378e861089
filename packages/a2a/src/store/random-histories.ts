import assert from "node:assert/strict";

import { Role, TaskState, type Message, type Task } from "@a2a-js/sdk";
import { isTroupeError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";

import { liveTask, type LiveTask } from "../wire/apply-event.ts";
import { artifactOf, textPart, type WireEvent } from "../wire/parts.ts";
import { taskWriter, type ContractSettings } from "../testing/index.ts";
import { createMemoryTaskStore } from "./memory-task-store.ts";
import type { TaskStore } from "./task-store.ts";

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
  fc.record({ do: fc.constant("stale"), owner, id, by: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ do: fc.constant("wait"), ms: fc.nat(60) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const LIMITS = { maxTasks: 3, maxAgeMs: 100, maxBytes: Number.MAX_SAFE_INTEGER };
const head = { taskId: "", contextId: "c" };
const timestamp = (now: number): string => new Date(now).toISOString();

const codeOf = (error: unknown): unknown => (isTroupeError(error) ? error.code : error);

function said(messageId: string): Message {
  const rest = { contextId: "c", taskId: "", metadata: undefined, extensions: [], referenceTaskIds: [] };
  return { ...rest, messageId, role: Role.ROLE_USER, parts: [textPart(messageId)] };
}

/** Plays the steps; the answers of the store, and what it holds at the end. */
async function play(
  steps: readonly Step[],
  open: (settings: ContractSettings) => Promise<TaskStore>,
): Promise<unknown> {
  const clock = virtualClock();
  const store = await open({ clock, ...LIMITS });
  const writer = taskWriter(store);
  const live = new Map<string, LiveTask>();
  const seen: unknown[] = [];
  const save = async (of: { readonly owner: string; readonly id: string }, event: WireEvent) => {
    const task = live.get(`${of.owner}/${of.id}`);
    if (task === undefined) return;
    task.apply(event);
    seen.push(await writer.save(of.owner, task.task, [event]).catch(codeOf));
  };
  for (const one of steps) {
    if (one.do === "wait") await clock.advance("ms" in one ? one.ms : 0);
    else if ("message" in one) {
      const status = { state: one.state, message: undefined, timestamp: timestamp(clock.now()) };
      const history = [said(one.message)];
      const task: Task = {
        id: one.id,
        contextId: "c",
        status,
        artifacts: [],
        history,
        metadata: undefined,
      };
      const next = liveTask(task);
      const known = await store.taskOf(one.owner, one.message);
      seen.push(await writer.claim(one.owner, one.message, next.task));
      if (known === undefined) live.set(`${one.owner}/${one.id}`, next);
    } else if ("text" in one) {
      const artifact = artifactOf("x", "answer", [textPart(one.text)]);
      const value = { ...head, artifact, append: one.append, lastChunk: false, metadata: undefined };
      await save(one, { $case: "artifactUpdate", value });
    } else if ("note" in one) {
      const status = { state: one.state, message: undefined, timestamp: timestamp(clock.now()) };
      await save(one, { $case: "statusUpdate", value: { ...head, status, metadata: { note: one.note } } });
    } else if ("by" in one) {
      // What somebody does who last looked at another moment: refused, unless nothing happened since.
      const task = live.get(`${one.owner}/${one.id}`)?.snapshot();
      const version = (await store.load(one.owner, one.id))?.version ?? 0;
      if (task !== undefined && one.by !== 0)
        seen.push(await store.save(one.owner, task, [], { version: version + one.by }).catch(codeOf));
    }
    seen.push(await writer.unfinished());
  }
  for (const of of ["", "ann"]) {
    const first = await store.list(of, { pageSize: 2, pageToken: "" });
    const rest = await store.list(of, { pageSize: 2, pageToken: first.nextPageToken });
    seen.push([...first.tasks], first.totalSize, first.nextPageToken === "" ? [] : [...rest.tasks]);
    for (const one of ["a", "b", "c", "d"]) seen.push(await store.load(of, one));
    for (let n = 0; n <= 8; n++) seen.push(await store.taskOf(of, `m${n}`));
  }
  return seen;
}

/** Whatever happens, the store answers, keeps and drops what the one in memory does. */
export async function sameAsMemory(
  open: (settings: ContractSettings) => Promise<TaskStore>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const memory = await play(steps, async (settings) => createMemoryTaskStore(settings));
      assert.deepEqual(await play(steps, open), memory);
    }),
    { numRuns },
  );
}
