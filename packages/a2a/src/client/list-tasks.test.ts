import { describe, expect, it } from "vitest";

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

  it("that is gone lists nothing", async () => {
    const remote = await withServed({ agent: scriptedAgent(() => []) }, ({ url }) => connectAgent(url));
    await expect(remote.tasks("talk", { signal })).rejects.toMatchObject({ code: "agent.unreachable" });
  });
});
