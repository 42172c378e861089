import { describe, expect, it } from "vitest";

import { createAgent, type AgentDeps } from "../agent/create-agent.ts";
import { agentEventSchema } from "../schemas/event.ts";
import { eventsOf, finishOf, outline, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";

function agentOf(deps: AgentDeps, config = {}) {
  return createAgent({ ...testConfig, ...config }, { clock: virtualClock(), newId: () => "id-1", ...deps });
}

const call = (name: string, args = {}) => ({ name, arguments: args });

describe("the loop", () => {
  it("takes a round of plain text as the answer, streamed while it is open", async () => {
    const model = scriptedModel([{ text: "Hello there.", split: 5 }]);
    const events = await runAgent(agentOf({ model }));
    expect(outline(events)).toEqual([
      "text-start t1 open",
      "text-delta t1 Hello",
      "text-delta t1  ther",
      "text-delta t1 e.",
      "text-role t1 answer",
      "text-end t1",
      "finish completed [t1]",
    ]);
    expect(finishOf(events).response).toMatchObject({ is_task_complete: true, content: "Hello there." });
  });

  it("streams the content of a finish call as an item that is born answer", async () => {
    const model = scriptedModel([{ calls: [finishCall("Fertig: é 😀")], split: 7 }]);
    const events = await runAgent(agentOf({ model }));
    const deltas = eventsOf(events, "text-delta").map((event) => event.delta);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("Fertig: é 😀");
    expect(eventsOf(events, "text-start")).toMatchObject([{ itemId: "t1", role: "answer" }]);
    expect(eventsOf(events, "text-role")).toEqual([]);
    expect(eventsOf(events, "tool-start")).toEqual([]);
    expect(finishOf(events)).toMatchObject({ outcome: "completed", answerItems: ["t1"] });
  });

  it("runs the calls of a round, hands the results to the model and goes on", async () => {
    const model = scriptedModel([
      { text: "Looking.", calls: [call("echo", { text: "one" }), call("echo", { text: "two" })] },
      { calls: [finishCall("Both found.")], usage: { inputTokens: 9, outputTokens: 4 } },
    ]);
    const events = await runAgent(agentOf({ model, tools: [echoTool()] }), { text: "Find both." });
    expect(outline(events)).toEqual([
      "text-start t1 open",
      "text-delta t1 Looking.",
      "text-role t1 narration",
      "text-end t1",
      "tool-start call-1 echo",
      "tool-start call-2 echo",
      "tool-end call-1 echo ok",
      "tool-end call-2 echo ok",
      "text-start t2 answer",
      "text-delta t2 Both found.",
      "usage",
      "text-end t2",
      "finish completed [t2]",
    ]);
    expect(model.requests[0]).toMatchObject({ messages: [{ role: "user", text: "Find both." }] });
    expect(model.requests[1]?.messages.slice(1)).toMatchObject([
      { role: "assistant", text: "Looking.", toolCalls: [{ callId: "call-1" }, { callId: "call-2" }] },
      {
        role: "tool",
        results: [
          { callId: "call-1", text: "one", isError: false },
          { callId: "call-2", text: "two", isError: false },
        ],
      },
    ]);
    model.assertDone();
  });

  it("numbers events without a gap, and every one fits its schema", async () => {
    const model = scriptedModel([
      { text: "Hm.", calls: [call("echo", { text: "x" }), call("nothing")], usage: {} },
      { calls: [finishCall("Done.")] },
    ]);
    const events = await runAgent(agentOf({ model, tools: [echoTool()] }));
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    for (const event of events) {
      expect(agentEventSchema.parse(event)).toEqual(event);
      expect(event).toMatchObject({ v: 1, runId: "run-1", agent: "tester", attempt: 1 });
    }
  });

  it("offers its tools and finish, and the rules of finish, to the model", async () => {
    const model = scriptedModel([{ text: "ok" }]);
    await runAgent(agentOf({ model, tools: [echoTool(), echoTool("other")] }));
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(["echo", "other", "finish"]);
    expect(model.requests[0]?.tools.at(-1)).toMatchObject({ eager: true });
    expect(model.requests[0]?.system).toContain("You are a test.");
    expect(model.requests[0]?.system).toContain("finish");
  });

  it("keeps to the tools a delegation allows", async () => {
    const model = scriptedModel([{ calls: [call("other", { text: "x" })] }, { text: "ok" }]);
    const delegation = {
      v: 1 as const,
      objective: "",
      instruction: "Do it.",
      expectedOutput: "",
      allowedTools: ["echo"],
      limits: {},
      results: {},
    };
    const events = await runAgent(agentOf({ model, tools: [echoTool(), echoTool("other")] }), { delegation });
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(["echo", "finish"]);
    expect(eventsOf(events, "tool-end")).toMatchObject([{ status: "not-run" }]);
  });

  it("ends as partial with the last draft when the rounds are used up", async () => {
    const model = scriptedModel([
      { text: "First draft.", calls: [call("echo", { text: "x" })] },
      { text: "Second draft.", calls: [call("echo", { text: "x" })] },
      { calls: [call("echo", { text: "x" })] },
    ]);
    const events = await runAgent(agentOf({ model, tools: [echoTool()] }, { max_iterations: 3 }));
    expect(finishOf(events)).toMatchObject({
      outcome: "partial",
      answerItems: ["t2"],
      response: { content: "Second draft.", is_task_complete: false },
      error: { code: "agent.limit" },
    });
    model.assertDone();
  });

  it("fails when the rounds are used up and nothing was written or found", async () => {
    const model = scriptedModel([{ calls: [call("echo", { text: "" })] }]);
    const events = await runAgent(agentOf({ model, tools: [echoTool()] }, { max_iterations: 1 }));
    expect(finishOf(events)).toMatchObject({
      outcome: "failed",
      answerItems: [],
      error: { code: "agent.limit", message: "No answer after one round, the limit of this agent." },
    });
  });

  it("ends by the stop rule, which sees the state of the run", async () => {
    const model = scriptedModel([{ text: "So far.", calls: [call("echo", { text: "x" })] }]);
    const seen: unknown[] = [];
    const stopRule: AgentDeps["stopRule"] = (state) => seen.push({ ...state }) > 0;
    const events = await runAgent(agentOf({ model, tools: [echoTool()], stopRule }));
    expect(seen).toMatchObject([
      { iteration: 1, draft: "So far.", calls: [{ tool: "echo", status: "ok" }], elapsedMs: 0 },
    ]);
    expect(finishOf(events)).toMatchObject({ outcome: "partial", error: { code: "agent.stopped" } });
  });

  it("asks again when a round is empty", async () => {
    const model = scriptedModel([{ text: " \n" }, { text: "Here." }]);
    const events = await runAgent(agentOf({ model }));
    expect(finishOf(events)).toMatchObject({ outcome: "completed", response: { content: "Here." } });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user" });
  });

  it("fails on a refusal, and an unscripted call is an error of the run, not a crash", async () => {
    const refused = await runAgent(agentOf({ model: scriptedModel([{ text: "I won't", stop: "refusal" }]) }));
    expect(finishOf(refused)).toMatchObject({ outcome: "failed", error: { code: "model.refused" } });
    const unscripted = await runAgent(agentOf({ model: scriptedModel([]) }));
    expect(finishOf(unscripted)).toMatchObject({ outcome: "failed", error: { code: "model.unscripted" } });
  });

  it("stops at the output limit as partial", async () => {
    const events = await runAgent(
      agentOf({ model: scriptedModel([{ text: "An ans", stop: "max-tokens" }]) }),
    );
    expect(finishOf(events)).toMatchObject({ outcome: "partial", response: { content: "An ans" } });
  });

  it("tells the model what is left of its output tokens and ends when none are", async () => {
    const model = scriptedModel([
      { text: "Draft.", calls: [call("echo", { text: "x" })], usage: { outputTokens: 60 } },
      { calls: [call("echo", { text: "x" })], usage: { outputTokens: 40 } },
    ]);
    const config = { limits: { maxOutputTokens: 100 } };
    const events = await runAgent(agentOf({ model, tools: [echoTool()] }, config));
    expect(model.requests.map((request) => request.maxOutputTokens)).toEqual([100, 40]);
    expect(finishOf(events)).toMatchObject({ outcome: "partial", error: { code: "agent.limit" } });
  });

  it("keeps calls apart that a provider gave one id", async () => {
    const model = scriptedModel([
      { calls: [{ ...call("echo", { text: "a" }), callId: "x" }] },
      { calls: [{ ...call("echo", { text: "b" }), callId: "x" }] },
      { text: "ok" },
    ]);
    const events = await runAgent(agentOf({ model, tools: [echoTool()] }));
    expect(eventsOf(events, "tool-start").map((event) => event.callId)).toEqual(["x", "x-2"]);
  });

  it("puts history before the question", async () => {
    const model = scriptedModel([{ text: "ok" }]);
    const history = [
      { role: "user" as const, text: "Hi" },
      { role: "agent" as const, text: "Hello" },
    ];
    await runAgent(agentOf({ model }), { text: "And?", history });
    expect(model.requests[0]?.messages).toMatchObject([
      { role: "user", text: "Hi" },
      { role: "assistant", text: "Hello" },
      { role: "user", text: "And?" },
    ]);
  });
});
