import type { AgentEvent } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { serveAgent } from "../server/index.ts";
import { answering, responseOf, scriptedAgent, withServed } from "../testing/index.ts";
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

  it("hands on every event and files, asks, goes on with the reply, and cancels", async () => {
    const ref = {
      id: "f",
      name: "a.csv",
      mediaType: "text/csv",
      bytes: 1,
      sha256: "0".repeat(64),
      url: "http://127.0.0.1/f",
    };
    const request = {
      requestId: "q",
      kind: "form",
      form: { title: "Year?", description: "", fields: [] },
    } as const;
    const agent = scriptedAgent((asked) =>
      asked.reply === undefined
        ? [
            { type: "input-required", request },
            { type: "finish", outcome: "input-required", response: responseOf(""), answerItems: [] },
          ]
        : [{ type: "artifact", artifact: ref }, ...answering(["done"])],
    );
    await withServed({ agent }, async ({ url }) => {
      const registry = createRegistry({ urls: [url] });
      const gateway = createA2AGateway(registry);
      const name = agent.profile.name;
      const { taskId } = await gateway.send(name, { messageId: "m1", delegation }, { signal });
      expect(await gateway.await(name, taskId, { signal })).toMatchObject({
        outcome: "input-required",
        request,
      });
      const reply = { requestId: "q", values: { year: 2026 } };
      const again = await gateway.send(
        name,
        { messageId: "m2", taskId, contextId: "", delegation, reply },
        { signal },
      );
      expect(again).toEqual({ taskId });
      const seen: string[] = [];
      const onEvent = (event: AgentEvent): void => void seen.push(event.type);
      expect(await gateway.await(name, taskId, { signal, onEvent })).toMatchObject({
        outcome: "completed",
        answer: "done",
        artifacts: [ref],
      });
      expect(seen).toEqual(["artifact", "text-start", "text-delta", "text-end", "finish"]);
      await gateway.cancel(name, taskId);
      registry.close();
    });
  });

  it("hears no more of an agent until what it told is kept", async () => {
    const agent = scriptedAgent(() => answering(["a", "b", "c"]));
    const gateway = createA2AGateway(createRegistry({ agents: [agent] }));
    const { taskId } = await gateway.send("scripted-agent", { messageId: "m", delegation }, { signal });
    const kept = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    const seen: string[] = [];
    const onEvent = ({ type }: AgentEvent): Promise<void> => {
      seen.push(type);
      first.resolve();
      return kept.promise;
    };
    const result = gateway.await("scripted-agent", taskId, { signal, onEvent });
    await first.promise;
    // As many turns as it would take to hear all of it.
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    expect(seen).toHaveLength(1);
    kept.resolve();
    expect((await result).answer).toBe("abc");
    expect(seen.length).toBeGreaterThan(4);
  });

  it("treats an agent of this process the same, and a failure as a result", async () => {
    const agent = scriptedAgent(() => {
      throw new Error("boom");
    });
    const gateway = createA2AGateway(createRegistry({ agents: [agent] }));
    const { taskId } = await gateway.send("scripted-agent", { messageId: "m", delegation }, { signal });
    expect(await gateway.await("scripted-agent", taskId, { signal })).toMatchObject({
      outcome: "failed",
      error: { code: "agent.internal" },
    });
    expect(agent.requests[0]).toMatchObject({ text: "Find the numbers", delegation });
    await expect(gateway.send("nobody", { messageId: "m", delegation }, { signal })).rejects.toMatchObject({
      code: "agent.unknown",
    });
  });

  it("calls no agent in the name of somebody who may not use it, and narrows what goes along", async () => {
    const agent = scriptedAgent(() => answering(["x"]));
    const registry = createRegistry({ agents: [agent] });
    const gateway = createA2AGateway(registry);
    const send = (id: string, scopes: readonly string[]) =>
      gateway.send("scripted-agent", { messageId: id, delegation }, { signal, caller: { id, scopes } });
    await expect(send("bob", ["agent:other", "agent:*"])).rejects.toMatchObject({
      code: "agent.forbidden",
      message: '"bob" may not use agent "scripted-agent": they lack the scope "agent:scripted-agent".',
    });
    await send("ann", ["*"]);
    await send("eve", ["agent:scripted-agent", "agent:other"]);
    expect(agent.requests.map(({ userId, scopes }) => [userId, scopes])).toEqual([
      ["ann", ["agent:scripted-agent"]],
      ["eve", ["agent:scripted-agent"]],
    ]);
    registry.close();
  });
});
