import { describe, expect, it } from "vitest";

import { serveAgent } from "../server/index.ts";
import { answering, scriptedAgent } from "../testing/index.ts";
import { createRegistry } from "./create-registry.ts";
import { createA2AGateway } from "./gateway.ts";

const signal = new AbortController().signal;
const delegation = {
  v: 1,
  objective: "A report",
  instruction: "Find the numbers",
  expectedOutput: "A table",
  allowedTools: [],
  limits: {},
  results: {},
} as const;

describe("the gateway", () => {
  it("sends to a remote agent, joins the task and assembles the result", async () => {
    const agent = scriptedAgent(() => [
      {
        type: "usage",
        model: "m",
        usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 },
      },
      {
        type: "usage",
        model: "m",
        usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 },
      },
      ...answering(["forty", "-two"]),
    ]);
    const served = await serveAgent({ agent });
    const registry = createRegistry({ urls: [served.url] });
    try {
      const gateway = createA2AGateway(registry);
      const { taskId } = await gateway.send(
        "scripted-agent",
        { messageId: "run/step#1", delegation },
        { signal },
      );
      const result = await gateway.await("scripted-agent", taskId, { signal });
      expect(result).toMatchObject({
        agent: "scripted-agent",
        outcome: "completed",
        answer: "forty-two",
        usage: { inputTokens: 2, outputTokens: 4, modelCalls: 2 },
      });
      expect(agent.requests[0]?.delegation).toEqual(delegation);
      expect(agent.requests[0]?.text).toBe("Find the numbers");
    } finally {
      registry.close();
      await served.close();
    }
  });
});
