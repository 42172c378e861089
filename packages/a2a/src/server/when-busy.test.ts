import { TaskState, type Task } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { systemClock } from "@troupe/core";
import { gate, type Gate } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import {
  answering,
  asking,
  collect,
  plainClient,
  plainMessage,
  scriptedAgent,
  taskOf,
  withServed,
} from "../testing/index.ts";

const signal = new AbortController().signal;

/** An agent that works on what it is asked until the test lets it; "ask me" it answers with a question. */
function gated() {
  const gates = new Map<string, { readonly begun: Gate; readonly end: Gate }>();
  const of = (text: string) => {
    const known = gates.get(text) ?? { begun: gate(), end: gate() };
    gates.set(text, known);
    return known;
  };
  const agent = scriptedAgent(async function* ({ text }) {
    of(text).begun.open();
    await of(text).end.opened;
    yield* text === "ask me" ? asking() : answering([`answer to ${text}`]);
  });
  const begun = (text: string): Promise<void> => of(text).begun.opened;
  return { agent, begun, end: (text: string) => of(text).end.open() };
}

/** Sends without waiting for the end. */
async function send(client: Client, text: string, more: { taskId?: string; messageId?: string } = {}) {
  const configuration = { returnImmediately: true };
  return taskOf(await client.sendMessage(plainMessage(text, { ...more, configuration })));
}

async function ended(client: Client, id: string): Promise<Task> {
  // Who comes back to a stream is answered, also when the task has ended meanwhile.
  const serviceParameters = { "Last-Event-ID": "before-all.1" };
  for await (const _ of client.resubscribeTask({ id, tenant: "" }, { serviceParameters }));
  return client.getTask({ id, tenant: "" });
}

describe("a message to a task that is being worked on, when it is queued", () => {
  it("is a task of its own that begins when that one has settled, in the order they came, once", async () => {
    const { agent, begun, end } = gated();
    await withServed({ agent, whenBusy: "queue" }, async ({ url }) => {
      const client = await plainClient(url);
      const one = await send(client, "one");
      await begun("one");
      const two = await send(client, "two", { taskId: one.id, messageId: "m2" });
      const three = await send(client, "three", { taskId: one.id });
      const four = await send(client, "four", { taskId: two.id });
      expect((await send(client, "two", { taskId: one.id, messageId: "m2" })).id).toBe(two.id);
      for (const task of [two, three, four])
        expect(task).toMatchObject({
          contextId: one.contextId,
          status: { state: TaskState.TASK_STATE_SUBMITTED },
          history: [{ taskId: task.id }],
        });
      expect(two.history[0]?.referenceTaskIds).toEqual([one.id]);
      expect(new Set([one.id, two.id, three.id, four.id]).size).toBe(4);
      expect(agent.requests).toHaveLength(1);

      for (const text of ["four", "three", "two", "one"]) end(text);
      expect((await ended(client, four.id)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect((await send(client, "two", { taskId: one.id, messageId: "m2" })).id).toBe(two.id);
      expect(agent.requests.map(({ text, runId }) => [text, runId])).toEqual([
        ["one", one.id],
        ["two", two.id],
        ["three", three.id],
        ["four", four.id],
      ]);
      expect(agent.requests.at(-1)?.history).toEqual(
        ["one", "two", "three"].flatMap((text) => [
          { role: "user", text },
          { role: "agent", text: `answer to ${text}` },
        ]),
      );
    });
  });

  it("is followed from the moment it was taken, over its beginning", async () => {
    const { agent, begun, end } = gated();
    await withServed({ agent, whenBusy: "queue" }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "one" }, { signal });
      await begun("one");
      let named = "";
      const onTask = (id: string): void => {
        named = id;
        end("two");
        end("one");
      };
      const events = await collect(remote.stream({ text: "two", taskId }, { signal, onTask }));
      expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "answer to two" } });
      expect(named).not.toBe(taskId);
    });
  });

  it("leaves a question that is asked meanwhile to whoever has read it", async () => {
    const { agent, begun, end } = gated();
    await withServed({ agent, whenBusy: "queue" }, async ({ url }) => {
      const client = await plainClient(url);
      const one = await send(client, "ask me");
      await begun("ask me");
      const two = await send(client, "yes", { taskId: one.id });
      end("ask me");
      end("yes");
      expect((await ended(client, two.id)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      const asked = await client.getTask({ id: one.id, tenant: "" });
      expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      // It waits for nobody, so this is an answer.
      expect((await send(client, "two", { taskId: one.id })).id).toBe(one.id);
      end("two");
    });
  });

  it("ends at once when it is canceled, without the agent, and the next one goes", async () => {
    const { agent, begun, end } = gated();
    await withServed({ agent, whenBusy: "queue" }, async ({ url }) => {
      const client = await plainClient(url);
      const one = await send(client, "one");
      await begun("one");
      const two = await send(client, "two", { taskId: one.id });
      const three = await send(client, "three", { taskId: one.id });
      const canceled = await client.cancelTask({ id: two.id, tenant: "", metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      end("three");
      end("one");
      await ended(client, three.id);
      expect(agent.requests.map(({ text }) => text)).toEqual(["one", "three"]);
    });
  });

  it("is refused when it answers a question, names another conversation, or too many wait", async () => {
    const { agent, begun, end } = gated();
    await withServed({ agent, whenBusy: "queue" }, async ({ url }) => {
      const client = await plainClient(url);
      const { id: taskId } = await send(client, "one");
      await begun("one");
      const remote = await connectAgent(url);
      const reply = { requestId: "q", values: { year: 1 } };
      await expect(remote.send({ taskId, reply }, { signal })).rejects.toThrow(/still being worked on/);
      const other = client.sendMessage(plainMessage("two", { taskId, contextId: "other" }));
      await expect(other).rejects.toThrow(/is not that of task/);
      const texts = Array.from({ length: 20 }, (_, i) => `more ${i}`);
      for (const text of texts) await send(client, text, { taskId });
      await expect(send(client, "one too many", { taskId })).rejects.toThrow(/many messages wait/);
      for (const text of ["one", ...texts]) end(text);
    });
  });

  it("keeps its turn over a restart where the work outlives the server", async () => {
    const store = createMemoryTaskStore({ clock: systemClock });
    const first = gated();
    const options = { store, handOver: true, whenBusy: "queue" } as const;
    const [one, two] = await withServed({ ...options, agent: first.agent }, async ({ url }) => {
      const client = await plainClient(url);
      const task = await send(client, "one");
      await first.begun("one");
      return [task, await send(client, "two", { taskId: task.id })] as const;
    });
    const second = gated();
    await withServed({ ...options, agent: second.agent }, async ({ url }) => {
      await second.begun("one");
      expect(second.agent.requests).toHaveLength(1);
      second.end("two");
      second.end("one");
      const client = await plainClient(url);
      expect((await ended(client, two.id)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(second.agent.requests.map(({ runId }) => runId)).toEqual([one.id, two.id]);
    });
  });

  it("ends with the server, and at its next start, where the work does not", async () => {
    const store = createMemoryTaskStore({ clock: systemClock });
    const { agent, begun } = gated();
    const two = await withServed({ agent, store, whenBusy: "queue" }, async ({ url }) => {
      const client = await plainClient(url);
      const one = await send(client, "one");
      await begun("one");
      return send(client, "two", { taskId: one.id });
    });
    expect((await store.load("", two.id))?.task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(agent.requests).toHaveLength(1);
  });
});
