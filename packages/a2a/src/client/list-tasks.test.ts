import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import { doneTask } from "../testing/task-store/fixtures.ts";
import { answering, collect, scriptedAgent, withServed } from "../testing/index.ts";
import { connectAgent } from "./index.ts";

const signal = new AbortController().signal;

describe("a remote agent", () => {
  it("names the task before its first event, and lists those of a conversation, oldest first", async () => {
    const gate = Promise.withResolvers<void>();
    const agent = scriptedAgent(async function* () {
      await gate.promise;
      yield* answering(["x"]);
    });
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const named: string[] = [];
      const onTask = (taskId: string): void => {
        named.push(taskId);
        gate.resolve();
      };
      for (const text of ["one", "two"])
        await collect(remote.stream({ text, contextId: "talk" }, { signal, onTask }));
      await collect(remote.stream({ text: "elsewhere", contextId: "other" }, { signal }));
      expect(await remote.tasks("talk", { signal })).toEqual([
        { taskId: named[0], text: "one" },
        { taskId: named[1], text: "two" },
      ]);
      expect(await remote.tasks("nobody's", { signal })).toEqual([]);
    });
  });

  it("lists those of a conversation that are larger than a page too", async () => {
    const store = createMemoryTaskStore({ clock: virtualClock() });
    const text = "x".repeat(900_000);
    const ids = Array.from({ length: 5 }, (_, i) => `t${i}`);
    for (const id of ids) await store.claim("", id, doneTask(id, { text }), { version: 0 });
    await withServed({ agent: scriptedAgent(() => []), store }, async ({ url }) => {
      const remote = await connectAgent(url);
      expect((await remote.tasks("c", { signal })).map(({ taskId }) => taskId)).toEqual(ids);
    });
  });

  it("that is gone lists nothing", async () => {
    const remote = await withServed({ agent: scriptedAgent(() => []) }, ({ url }) => connectAgent(url));
    await expect(remote.tasks("talk", { signal })).rejects.toMatchObject({ code: "agent.unreachable" });
  });
});
