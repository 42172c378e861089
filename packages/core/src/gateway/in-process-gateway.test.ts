import type { AgentEvent } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import type { RunnableAgent, SendRequest } from "../ports/agent.ts";
import { gate } from "../testing/gate.ts";
import { outline, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { inProcessGateway } from "./in-process-gateway.ts";

const signal = new AbortController().signal;

function send(messageId: string, rest: Partial<SendRequest> = {}): SendRequest {
  return {
    messageId,
    delegation: {
      v: 1,
      objective: "",
      instruction: "Go.",
      expectedOutput: "",
      allowedTools: [],
      limits: {},
      results: {},
    },
    ...rest,
  };
}

function setup(steps: readonly ScriptedStep[], tools = [echoTool()]) {
  const model = scriptedModel(steps);
  let ids = 0;
  const agent = createAgent(testConfig, { model, tools });
  return { model, gateway: inProcessGateway([agent], { newId: () => `task-${++ids}` }) };
}

describe("inProcessGateway", () => {
  it("lists and finds its agents", async () => {
    const { gateway } = setup([]);
    expect(await gateway.list()).toMatchObject([{ name: "tester", status: "up" }]);
    expect(await gateway.find("tester")).toMatchObject({ title: "Tester" });
    expect(await gateway.find("other")).toBeUndefined();
  });

  it("sends, joins and hands back the result", async () => {
    const file = {
      id: "f",
      name: "a.txt",
      mediaType: "text/plain",
      bytes: 1,
      sha256: "0".repeat(64),
      url: "u",
    };
    const usage = { inputTokens: 3, outputTokens: 2 };
    const { gateway } = setup(
      [
        { calls: [{ name: "echo", arguments: { text: "x" } }], usage },
        { calls: [finishCall("Done.")], usage },
      ],
      [echoTool("echo", () => ({ text: "x", artifacts: [file], data: { n: 1 } }))],
    );
    const { taskId } = await gateway.send("tester", send("m1"), { signal });
    expect(await gateway.await("tester", taskId, { signal })).toEqual({
      agent: "tester",
      outcome: "completed",
      answer: "Done.",
      data: { echo: { n: 1 } },
      citations: [],
      artifacts: [file],
      usage: { inputTokens: 6, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 2 },
    });
  });

  it("works once on a message that is sent twice, and once for each of two", async () => {
    const { gateway, model } = setup([{ text: "a" }, { text: "b" }]);
    const [first, again, other] = await Promise.all([
      gateway.send("tester", send("m1"), { signal }),
      gateway.send("tester", send("m1"), { signal }),
      gateway.send("tester", send("m2"), { signal }),
    ]);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    await gateway.await("tester", first.taskId, { signal });
    await gateway.await("tester", other.taskId, { signal });
    model.assertDone();
    expect(await gateway.send("tester", send("m1"), { signal })).toEqual(first);
  });

  it("gives every joiner every event, early, late or after the end", async () => {
    const going = gate();
    const { gateway } = setup([{ text: "Hello", split: 1, gate: going.opened, gateAt: 3 }]);
    const { taskId } = await gateway.send("tester", send("m1"), { signal });
    const seen: AgentEvent[][] = [[], [], []];
    const join = (index: number) =>
      gateway.await("tester", taskId, { signal, onEvent: (event) => seen[index]?.push(event) });
    const early = join(0);
    while ((seen[0]?.length ?? 0) < 4) await Promise.resolve();
    const late = join(1);
    going.open();
    await Promise.all([early, late]);
    await join(2);
    expect(outline(seen[0] ?? [])).toHaveLength(9);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  it("cancels the task; a listener that leaves only stops listening, one that throws harms nothing", async () => {
    const { gateway } = setup([{ text: "Hi", gate: gate().opened, gateAt: 1 }]);
    const { taskId } = await gateway.send("tester", send("m1"), { signal });
    const leave = new AbortController();
    const leaving = gateway.await("tester", taskId, { signal: leave.signal });
    leave.abort(new Error("left"));
    await expect(leaving).rejects.toThrow("left");
    const staying = gateway.await("tester", taskId, {
      signal,
      onEvent: () => {
        throw new Error("listener broke");
      },
    });
    await gateway.cancel("tester", taskId);
    expect(await staying).toMatchObject({ outcome: "canceled" });
  });

  it("goes on with a task that asked", async () => {
    const question = finishCall("", { require_user_input: true, user_input: "Which year?" });
    const { gateway, model } = setup([{ calls: [question] }, { text: "2026 it is." }]);
    const { taskId } = await gateway.send("tester", send("m1"), { signal });
    const asked = await gateway.await("tester", taskId, { signal });
    expect(asked).toMatchObject({ outcome: "input-required", request: { kind: "form" } });
    const reply = { requestId: asked.request?.requestId ?? "", values: { answer: "2026" } };
    const next = await gateway.send("tester", send("m2", { taskId, reply }), { signal });
    expect(next.taskId).toBe(taskId);
    expect(await gateway.await("tester", taskId, { signal })).toMatchObject({ answer: "2026 it is." });
    const texts = model.requests[1]?.messages.map((message) => ("text" in message ? message.text : ""));
    expect(texts?.slice(0, 2)).toEqual(["Go.", "Which year?"]);
    expect(texts?.[2]).toContain("- Your answer (answer): 2026");
  });

  it("names the nearest agent, and says when a task is lost or still runs", async () => {
    const { gateway } = setup([{ gate: gate().opened, text: "x" }]);
    await expect(gateway.send("testre", send("m1"), { signal })).rejects.toMatchObject({
      code: "agent.unknown",
      message: expect.stringContaining('"tester"'),
    });
    await expect(gateway.await("tester", "nope", { signal })).rejects.toMatchObject({
      code: "agent.task-lost",
    });
    const { taskId } = await gateway.send("tester", send("m1"), { signal });
    await expect(gateway.send("tester", send("m2", { taskId }), { signal })).rejects.toMatchObject({
      code: "agent.protocol",
    });
    await gateway.cancel("tester", taskId);
  });

  it.each([
    ["throws", new Error("secret"), "agent.internal"],
    ["ends without a finish", undefined, "agent.protocol"],
  ])("reports an agent that %s as failed", async (_, error, code) => {
    const profile = { name: "odd", title: "", description: "", version: "1", skills: [] };
    const odd: RunnableAgent = {
      profile,
      // oxlint-disable-next-line require-yield
      async *run() {
        if (error !== undefined) throw error;
      },
    };
    const gateway = inProcessGateway([odd]);
    const { taskId } = await gateway.send("odd", send("m1"), { signal });
    const result = await gateway.await("odd", taskId, { signal });
    expect(result).toMatchObject({ agent: "odd", outcome: "failed", error: { code } });
    expect(result.error?.message).not.toContain("secret");
  });
});
