import { TaskState } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import { answering, captureWire, collect, plainMessage, scriptedAgent } from "../testing/index.ts";
import { checkArtifactStream } from "../wire/check-artifact-stream.ts";
import { serveAgent } from "./serve-agent.ts";

const signal = new AbortController().signal;

describe("a served agent", () => {
  it.each(["JSONRPC", "HTTP+JSON"] as const)(
    "answers our client over %s with the events it emitted",
    async (binding) => {
      const served = await serveAgent({ agent: scriptedAgent(() => answering(["Hello", " you"])) });
      try {
        const agent = await connectAgent(served.url, { binding });
        const events = await collect(agent.stream({ text: "hi" }, { signal }));
        expect(events.map((event) => event.type)).toEqual([
          "text-start",
          "text-delta",
          "text-delta",
          "text-end",
          "finish",
        ]);
        expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Hello you" } });
      } finally {
        await served.close();
      }
    },
  );

  it("keeps the artifact rules and ends completed for the SDK's own client", async () => {
    const served = await serveAgent({ agent: scriptedAgent(() => answering(["a", "b", "c"])) });
    try {
      const wire = await captureWire(served.url, plainMessage("hi"));
      expect(checkArtifactStream(wire)).toEqual([]);
      expect(wire[0]?.$case).toBe("task");
      const last = wire.at(-1);
      expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    } finally {
      await served.close();
    }
  });
});
