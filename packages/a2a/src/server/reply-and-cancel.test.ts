import { systemClock } from "@troupe/core";
import { gate, virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import type { TaskStore } from "../store/task-store.ts";
import { asking, collect, scriptedAgent, withServed } from "../testing/index.ts";

const signal = new AbortController().signal;

/** Asks, and works on a reply until it is told to stop. */
function asker() {
  return scriptedAgent(async function* (asked, { signal: stopped }) {
    if (asked.reply === undefined) {
      yield* asking();
      return;
    }
    yield { type: "text-start", itemId: "1", role: "open" } as const;
    if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener("abort", resolve));
  });
}

/** A store in which the next call of one kind can be held up, as a network may. */
function heldStore() {
  const store = createMemoryTaskStore({ clock: systemClock });
  const reached = gate();
  const held = gate();
  let holding: "load" | "list" | "save" | undefined;
  const hold = async (kind: "load" | "list" | "save"): Promise<void> => {
    if (holding !== kind) return;
    holding = undefined;
    reached.open();
    await held.opened;
  };
  const slow: TaskStore = {
    ...store,
    async load(owner, taskId) {
      const task = await store.load(owner, taskId);
      await hold("load");
      return task;
    },
    async save(...save) {
      const version = await store.save(...save);
      await hold("save");
      return version;
    },
    async list(owner, query) {
      const page = await store.list(owner, query);
      await hold("list");
      return page;
    },
  };
  const next = (kind: "load" | "list" | "save"): void => {
    holding = kind;
  };
  return { store: slow, holdNext: next, reached: reached.opened, release: () => held.open() };
}

describe("a reply and a cancellation at the same time", () => {
  it("leave the task canceled and the reply refused when the cancellation is first", async () => {
    const agent = asker();
    const { store, holdNext, reached, release } = heldStore();
    await withServed({ agent, store }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await collect(remote.join(taskId, { signal }));
      holdNext("list");
      const reply = { taskId, reply: { requestId: "q", values: {} } };
      const replied = remote.send(reply, { signal }).catch((error: unknown) => error);
      await reached;
      await remote.cancel(taskId);
      release();
      expect(await replied).toMatchObject({ message: expect.stringContaining("has ended") });
      expect(agent.requests).toHaveLength(1);
    });
  });

  it("stop the work when the reply is first", async () => {
    const agent = asker();
    const { store, holdNext, reached, release } = heldStore();
    await withServed({ agent, store, clock: virtualClock() }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await collect(remote.join(taskId, { signal }));
      holdNext("load");
      const canceled = remote.cancel(taskId);
      await reached;
      await remote.send({ taskId, reply: { requestId: "q", values: {} } }, { signal });
      release();
      await canceled;
      const events = await collect(remote.join(taskId, { signal }));
      expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "canceled" });
      expect(agent.requests).toHaveLength(2);
    });
  });
});

describe("a task that waits for somebody and is canceled", () => {
  it("is canceled at the agent too, once, and takes no reply any more", async () => {
    const agent = asker();
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await collect(remote.join(taskId, { signal }));
      await remote.cancel(taskId);
      await remote.cancel(taskId);
      expect(agent.canceled).toEqual([taskId]);
      expect((await collect(remote.join(taskId, { signal }))).at(-1)).toMatchObject({ outcome: "canceled" });
      const reply = { taskId, reply: { requestId: "q", values: {} } };
      await expect(remote.send(reply, { signal })).rejects.toThrow(/has ended/);
    });
  });

  it("is so also while the question is still being stored", async () => {
    const agent = asker();
    const { store, holdNext, reached, release } = heldStore();
    await withServed({ agent, store }, async ({ url }) => {
      const remote = await connectAgent(url);
      holdNext("save");
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await reached;
      const done = remote.cancel(taskId);
      release();
      await done;
      expect(agent.canceled).toEqual([taskId]);
    });
  });

  it("is canceled even if the agent cannot let go", async () => {
    const agent = { ...asker(), cancel: () => Promise.reject(new Error("disk")) };
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await collect(remote.join(taskId, { signal }));
      await remote.cancel(taskId);
      expect((await collect(remote.join(taskId, { signal }))).at(-1)).toMatchObject({ outcome: "canceled" });
    });
  });
});
