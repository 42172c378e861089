import { TaskState, type Task } from "@a2a-js/sdk";
import { TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { silentLog, StoreError, systemClock } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent, AgentEventBody } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import type { TaskStore } from "../store/task-store.ts";
import {
  answering,
  asking,
  captureWire,
  collect,
  heldAgent,
  plainClient,
  plainMessage,
  scriptedAgent,
  taskOf,
  withServed,
} from "../testing/index.ts";
import { textOf } from "../wire/parts.ts";

const signal = new AbortController().signal;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function textIn(task: Task): string {
  return task.artifacts
    .filter((artifact) => artifact.name === "streaming_result")
    .map((artifact) => textOf(artifact.parts))
    .join("");
}

/** A store that takes its time, as one behind a network does. */
function slowStore(): TaskStore {
  const store = createMemoryTaskStore({ clock: systemClock });
  return {
    ...store,
    async save(...save) {
      for (let i = 0; i < 5; i++) await nextTurn();
      return store.save(...save);
    },
  };
}

describe("the life of a task", () => {
  it("runs the same message once, also when it arrives twice at the same time or again later", async () => {
    const { agent, goOn } = heldAgent();
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const request = { text: "hi", messageId: "run/step#1" };
      const [one, two] = await Promise.all([
        remote.send(request, { signal }),
        remote.send(request, { signal }),
      ]);
      expect(two).toEqual(one);
      const streamed = collect(remote.stream(request, { signal }));
      goOn();
      expect((await streamed).at(-1)).toMatchObject({ response: { content: "begun and done" } });
      expect(await remote.send(request, { signal })).toEqual(one);
      expect(agent.requests).toHaveLength(1);
    });
  });

  it("refuses a second message to a task that is being worked on", async () => {
    const { agent, goOn, begun } = heldAgent();
    await withServed({ agent }, async ({ url }) => {
      const { taskId } = await (await connectAgent(url)).send({ text: "hi" }, { signal });
      await begun;
      const second = captureWire(url, plainMessage("and?", { taskId }));
      await expect(second).rejects.toThrow(UnsupportedOperationError);
      await expect(captureWire(url, plainMessage("and?", { taskId }))).rejects.toThrow(
        /still being worked on/,
      );
      goOn();
    });
  });

  it.each(["JSONRPC", "HTTP+JSON"] as const)(
    "lets a late subscriber over %s miss nothing and see nothing twice, with a store that awaits",
    async (binding) => {
      const chunks = Array.from({ length: 200 }, (_, i) => `[${i}]`);
      const agent = scriptedAgent(async function* () {
        const [start, ...rest] = answering(chunks);
        if (start) yield start;
        for (const body of rest) {
          yield body;
          await nextTurn();
        }
      });
      await withServed({ agent, store: slowStore(), coalesceMs: 1 }, async ({ url }) => {
        const remote = await connectAgent(url, { binding });
        const joined: Promise<string>[] = [];
        let taskId = "";
        let updates = 0;
        const client = await plainClient(url);
        for await (const { payload } of client.sendMessageStream(plainMessage("count"))) {
          if (payload?.$case === "task") taskId = payload.value.id;
          if (payload?.$case !== "artifactUpdate" || updates++ > 20) continue;
          const events = collect(remote.join(taskId, { signal }));
          joined.push(
            events.then((all) =>
              all.map((event) => (event.type === "text-delta" ? event.delta : "")).join(""),
            ),
          );
        }
        expect(joined.length).toBeGreaterThan(2);
        for (const text of await Promise.all(joined)) expect(text).toBe(chunks.join(""));
        expect(textIn(await client.getTask({ id: taskId, tenant: "" }))).toBe(chunks.join(""));
      });
    },
  );

  it("refuses a subscription to a task that has ended, but for who comes back to a stream of it", async () => {
    await withServed({ agent: scriptedAgent(() => answering(["done"])) }, async ({ url }) => {
      const client = await plainClient(url);
      const task = taskOf(await client.sendMessage(plainMessage("hi")));
      const late = collect(client.resubscribeTask({ id: task.id, tenant: "" }));
      await expect(late).rejects.toThrow(UnsupportedOperationError);
      const serviceParameters = { "Last-Event-ID": "another-run.7" };
      const events = await collect(
        client.resubscribeTask({ id: task.id, tenant: "" }, { serviceParameters }),
      );
      expect(events).toHaveLength(1);
      expect(events[0]?.payload).toMatchObject({ $case: "task", value: { id: task.id } });
      const unknown = collect(client.resubscribeTask({ id: "nobody", tenant: "" }));
      await expect(unknown).rejects.toThrow(TaskNotFoundError);
    });
  });

  it("keeps 2,000 chunks as one part, and sends far fewer updates", async () => {
    const chunks = Array.from({ length: 2_000 }, (_, i) => `chunk ${i} `);
    await withServed({ agent: scriptedAgent(() => answering(chunks)) }, async ({ url }) => {
      const client = await plainClient(url);
      const wire = await captureWire(url, plainMessage("hi"));
      const id = wire[0]?.$case === "task" ? wire[0].value.id : "";
      const task = await client.getTask({ id, tenant: "" });
      expect(textIn(task)).toBe(chunks.join(""));
      expect(task.artifacts.flatMap((artifact) => artifact.parts)).toHaveLength(2);
      expect(wire.length).toBeLessThan(200);
    });
  });

  it("goes on when the client is killed", async () => {
    const { agent, goOn, begun } = heldAgent();
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const caller = new AbortController();
      const stream = remote.stream({ text: "hi", messageId: "m" }, { signal: caller.signal });
      const iterator = stream[Symbol.asyncIterator]();
      await iterator.next();
      await begun;
      caller.abort(new Error("killed"));
      await expect(
        iterator.next().then(() => collect({ [Symbol.asyncIterator]: () => iterator })),
      ).rejects.toThrow("killed");
      goOn();
      const { taskId } = await remote.send({ text: "hi", messageId: "m" }, { signal });
      expect((await collect(remote.join(taskId, { signal }))).at(-1)).toMatchObject({ outcome: "completed" });
      expect(agent.requests).toHaveLength(1);
    });
  });

  it("cancels: the agent's signal fires and the task ends canceled", async () => {
    const started = Promise.withResolvers<void>();
    const agent = scriptedAgent(async function* (_request, { signal: stop }) {
      yield { type: "text-start", itemId: "1", role: "open" };
      started.resolve();
      await new Promise((_resolve, reject) =>
        stop.addEventListener("abort", () => reject(stop.reason as Error)),
      );
    });
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await started.promise;
      await remote.cancel(taskId);
      const finish = (await collect(remote.join(taskId, { signal }))).at(-1);
      expect(finish).toMatchObject({ type: "finish", outcome: "canceled" });
      await expect(remote.cancel(taskId)).resolves.toBeUndefined();
    });
  });

  it("fails with a code and a safe sentence when the agent throws, and when it ends without a finish", async () => {
    const secret = "postgres://admin:hunter2@db";
    const broken = scriptedAgent(async function* (request): AsyncGenerator<AgentEventBody> {
      yield { type: "text-start", itemId: "1", role: "open" };
      if (request.text === "throw") throw new Error(secret);
      if (request.text === "known") throw new StoreError("store.full", "The disk is full. Free some space.");
    });
    await withServed({ agent: broken, log: silentLog }, async ({ url }) => {
      const remote = await connectAgent(url);
      const errorOf = async (text: string): Promise<unknown> => {
        expect(JSON.stringify(await captureWire(url, plainMessage(text)))).not.toContain("hunter2");
        const finish = (await collect(remote.stream({ text }, { signal }))).at(-1);
        return finish?.type === "finish" ? { outcome: finish.outcome, ...finish.error } : undefined;
      };
      expect(await errorOf("throw")).toMatchObject({ outcome: "failed", code: "agent.internal" });
      expect(await errorOf("nothing")).toMatchObject({ outcome: "failed", code: "agent.no-finish" });
      expect(await errorOf("known")).toMatchObject({
        code: "store.full",
        message: expect.stringMatching(/disk is full/) as unknown,
      });
    });
  });

  it("marks tasks that a crash cut off as failed at the next start", async () => {
    const store = createMemoryTaskStore({ clock: systemClock });
    const cut = { id: "cut", contextId: "c", artifacts: [], history: [], metadata: undefined };
    const working = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined };
    await store.claim("", "run/step#1", { ...cut, status: working }, { version: 0 });
    await withServed({ agent: scriptedAgent(() => answering(["x"])), store }, async ({ url }) => {
      const remote = await connectAgent(url);
      expect(await collect(remote.join("cut", { signal }))).toMatchObject([
        { type: "finish", outcome: "failed", error: { code: "agent.restarted" } },
      ]);
      expect(await remote.send({ text: "hi", messageId: "run/step#1" }, { signal })).toEqual({
        taskId: "cut",
      });
    });
  });

  it("cancels a task that waits for somebody, and tells it after what was there", async () => {
    const agent = scriptedAgent(() => [
      { type: "attempt-start", reason: "first" },
      { type: "input-required", request: { requestId: "q", kind: "approval", calls: [] } },
      ...asking(),
    ]);
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await collect(remote.join(taskId, { signal }));
      await remote.cancel(taskId);
      expect(await collect(remote.join(taskId, { signal }))).toMatchObject([
        { type: "attempt-start" },
        { type: "input-required" },
        { type: "finish", outcome: "canceled" },
      ]);
    });
  });

  it("takes one of two replies to the same question, and refuses a reply to what has ended", async () => {
    const agent = scriptedAgent(({ reply }) => (reply === undefined ? asking() : answering(["thanks"])));
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      await collect(remote.join(taskId, { signal }));
      const reply = (year: number) => ({ taskId, reply: { requestId: "q", values: { year } } });
      const both = await Promise.allSettled([
        remote.send(reply(1), { signal }),
        remote.send(reply(2), { signal }),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await collect(remote.join(taskId, { signal }));
      expect(agent.requests).toHaveLength(2);
      await expect(remote.send(reply(3), { signal })).rejects.toThrow(/has ended/);
      await expect(remote.send({ taskId: "nobody", text: "x" }, { signal })).rejects.toMatchObject({
        code: "agent.task-lost",
      });
    });
  });

  it("calls nothing failed at close where the work outlives the server", async () => {
    const { agent, begun } = heldAgent();
    await withServed({ agent, handOver: true }, async ({ url, close }) => {
      const clock = virtualClock();
      const remote = await connectAgent(url, { clock });
      const events: AgentEvent[] = [];
      const ended: unknown[] = [];
      const streamed = (async () => {
        for await (const event of remote.stream({ text: "hi" }, { signal })) events.push(event);
      })().catch((error: unknown) => ended.push(error));
      await begun;
      await close();
      // It looks a few times more whether somebody is back.
      for (; ended.length === 0; await nextTurn()) await clock.advance(1_000);
      await streamed;
      expect(ended).toMatchObject([{ code: "agent.unreachable", retryable: true }]);
      expect(events.map((event) => event.type)).not.toContain("finish");
    });
  });

  it("ends running tasks and their streams when the server closes, and takes no new ones", async () => {
    const { agent, begun } = heldAgent();
    const clock = virtualClock();
    await withServed({ agent, clock }, async ({ url, close }) => {
      const remote = await connectAgent(url);
      const streamed = collect(remote.stream({ text: "hi" }, { signal }));
      await begun;
      const closing = close();
      await clock.advance(1_000);
      expect((await streamed).at(-1)).toMatchObject({
        type: "finish",
        outcome: "failed",
        error: { code: "agent.shutting-down" },
      });
      await closing;
      await expect(remote.send({ text: "more" }, { signal })).rejects.toMatchObject({
        code: "agent.unreachable",
      });
    });
  });
});
