import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
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
  withServed,
} from "../testing/index.ts";
import { runtimeOptions } from "../testing/runtime-options.ts";
import { toMessage } from "../wire/request.ts";
import type { WireEvent } from "../wire/parts.ts";
import { AgentRuntime } from "./runtime/agent-runtime.ts";

const WAITING = TaskState.TASK_STATE_INPUT_REQUIRED;
const DONE = TaskState.TASK_STATE_COMPLETED;

/** Asks until it is answered with "done". */
const agent = () => scriptedAgent(({ text }) => (text === "done" ? answering(["hello"]) : asking()));

type Payload = WireEvent | StreamResponse["payload"];

function stateIn(event: Payload): TaskState | undefined {
  return event?.$case === "task" || event?.$case === "statusUpdate" ? event.value.status?.state : undefined;
}

/** The next streamed state that settles a turn; undefined when the stream ends. */
async function nextSettled(events: AsyncGenerator<StreamResponse | { readonly event: WireEvent }, void>) {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return undefined;
    const state = stateIn("event" in value ? value.event : value.payload);
    if (state === WAITING || state === DONE || state === TaskState.TASK_STATE_CANCELED) return state;
  }
}

describe("a subscription to a task that waits for a reply", () => {
  it("stays open over its turns until the task has ended", async () => {
    await withServed({ agent: agent() }, async ({ url }) => {
      const client = await plainClient(url);
      const task = await client.sendMessage(plainMessage("go"));
      if ("messageId" in task) throw new Error("not a task");
      const events = client.resubscribeTask({ id: task.id, tenant: "" });
      expect(await nextSettled(events)).toBe(WAITING);
      const again = nextSettled(events);
      await client.sendMessage(plainMessage("what?", { taskId: task.id }));
      expect(await again).toBe(WAITING);
      const end = nextSettled(events);
      await client.sendMessage(plainMessage("done", { taskId: task.id }));
      expect(await end).toBe(DONE);
      expect(await nextSettled(events)).toBeUndefined();
    });
  });

  it("ends with the task when that is canceled, and with the server", async () => {
    await withServed({ agent: agent() }, async ({ url, close }) => {
      const client = await plainClient(url);
      const open = await Promise.all(
        ["a", "b"].map(async (text) => {
          const task = await client.sendMessage(plainMessage(text));
          const events = client.resubscribeTask({ id: "messageId" in task ? "" : task.id, tenant: "" });
          expect(await nextSettled(events)).toBe(WAITING);
          return { id: "messageId" in task ? "" : task.id, events };
        }),
      );
      const [first, second] = open;
      const canceled = first && collect(first.events);
      await client.cancelTask({ id: first?.id ?? "", tenant: "", metadata: undefined });
      expect(stateIn((await canceled)?.at(-1)?.payload)).toBe(TaskState.TASK_STATE_CANCELED);
      const ended = second && nextSettled(second.events);
      await close();
      expect(await ended).toBeUndefined();
    });
  });

  it("is told over 0.3 as a stream that ends with the question", async () => {
    await withServed({ agent: agent() }, async ({ url }) => {
      const client = await plainClient(url);
      const task = await client.sendMessage(plainMessage("go"));
      const id = "messageId" in task ? "" : task.id;
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/resubscribe", params: { id } });
      const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
      expect(await (await fetch(url, init)).text()).toContain('"state":"input-required"');
    });
  });

  it("tells a reader that comes back and has everything how the task stands", async () => {
    await withServed({ agent: agent() }, async ({ url }) => {
      const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
      const message = '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"go"}]}}';
      const sent = await fetch(`${url}/a2a/rest/message:stream`, { method: "POST", headers, body: message });
      const frames = await sent.text();
      const lastId = [...frames.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";
      const [, id = ""] = /"taskId":"([^"]+)"/.exec(frames) ?? [];
      const answer = await fetch(`${url}/a2a/rest/tasks/${id}:subscribe`, {
        headers: { ...headers, "Last-Event-ID": lastId },
      });
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      expect(new TextDecoder().decode(value)).toMatch(/"task":.*"TASK_STATE_INPUT_REQUIRED"/);
      await reader.cancel();
    });
  });

  it("does not keep our own client, which joins until the task waits", async () => {
    await withServed({ agent: agent() }, async ({ url }) => {
      const signal = AbortSignal.timeout(30_000);
      const remote = await connectAgent(url, { signal });
      const { taskId } = await remote.send({ text: "go" }, { signal });
      for (const _ of ["while it works", "as it waits"]) {
        const types: string[] = [];
        for await (const event of remote.join(taskId, { signal })) types.push(event.type);
        expect(types.at(-1)).toBe("finish");
      }
    });
  });
});

it("follows a task that waits over the processes that share its store", async () => {
  const clock = virtualClock();
  const store = createMemoryTaskStore({ clock, leaseMs: 5_000 });
  let ids = 0;
  const start = () => {
    const newId = (): string => `id-${++ids}`;
    return new AgentRuntime(runtimeOptions({ agent: agent(), store, clock, newId }));
  };
  const [here, there] = [start(), start()];
  await Promise.all([here.recover(), there.recover()]);
  const say = async (runtime: AgentRuntime, text: string, taskId = "") => {
    const message = toMessage({ text, ...(taskId === "" ? {} : { taskId }) }, `m-${text}`);
    const found = await runtime.submit(message, { owner: "", structured: false });
    if (!("run" in found)) throw new Error("not at work here");
    await found.run.whenSettled;
    await found.run.saved();
    return found.run.id;
  };
  const id = await say(there, "go");
  const events = here.follow("", await here.find("", id), {});
  const told = async () => {
    const state = nextSettled(events);
    for (let step = 0; step < 40; step++) await clock.advance(50);
    return state;
  };
  expect(await told()).toBe(WAITING);
  await say(there, "what?", id);
  expect(await told()).toBe(WAITING);
  await say(there, "done", id);
  expect(await told()).toBe(DONE);
  expect(await told()).toBeUndefined();
  await Promise.all([here.close(), there.close()]);
});
