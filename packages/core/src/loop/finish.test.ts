import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { eventsOf, finishOf, outline, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";

const broken = echoTool("broken", () => ({ text: "It did not work.", isError: true }));
const say = (text: string) => ({ name: "echo", arguments: { text } });

async function run(...steps: readonly ScriptedStep[]) {
  const model = scriptedModel(steps);
  const tools = [echoTool(), broken];
  const agent = createAgent(testConfig, { model, tools, clock: virtualClock(), newId: () => "id-1" });
  const events = await runAgent(agent);
  model.assertDone();
  return { events, finish: finishOf(events), requests: model.requests };
}

describe("finish", () => {
  it("waits for the calls before it in its round; its text is open until they are done", async () => {
    const { events } = await run({ calls: [say("x"), finishCall("The answer.")] });
    expect(outline(events)).toEqual([
      "text-start t1 open",
      "text-delta t1 The answer.",
      "tool-start call-1 echo",
      "tool-end call-1 echo ok",
      "text-role t1 answer",
      "text-end t1",
      "finish completed [t1]",
    ]);
  });

  it("is refused when a call before it fails; its text is narration and the loop goes on", async () => {
    const { events, requests } = await run(
      { calls: [{ name: "broken", arguments: { text: "x" } }, finishCall("All good."), say("late")] },
      { calls: [finishCall("It did not work.")] },
    );
    expect(outline(events)).toEqual([
      "text-start t1 open",
      "text-delta t1 All good.",
      "tool-start call-1 broken",
      "tool-end call-1 broken error",
      "text-role t1 narration",
      "text-end t1",
      "tool-start call-3 echo",
      "tool-end call-3 echo not-run",
      "text-start t2 answer",
      "text-delta t2 It did not work.",
      "text-end t2",
      "finish completed [t2]",
    ]);
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      results: [
        { callId: "call-1", isError: true },
        { callId: "call-2", name: "finish", isError: true },
        { callId: "call-3", isError: true },
      ],
    });
  });

  it("leaves calls after it, a second finish included, not run", async () => {
    const { events, finish } = await run({ calls: [finishCall("First."), say("x"), finishCall("Second.")] });
    expect(eventsOf(events, "tool-end")).toMatchObject([
      { tool: "echo", status: "not-run" },
      { tool: "finish", status: "not-run" },
    ]);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "First." } });
  });

  const PROMPT = "You wrote text and called no tool. Call a tool, or finish with the answer.";

  it("is asked for once where a short first text calls no tool; the text is narration then", async () => {
    const { finish, events, requests } = await run(
      { text: "I will search first." },
      { calls: [say("x")] },
      { text: "Nothing found." },
    );
    expect(requests[1]?.messages.slice(-2)).toEqual([
      { role: "assistant", text: "I will search first.", toolCalls: [] },
      { role: "user", text: PROMPT },
    ]);
    expect(outline(events)).toContain("text-role t1 narration");
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Nothing found." } });
    const talk = await run({ text: "Hello!" }, { text: "Hello again!" });
    expect(talk.finish).toMatchObject({ outcome: "completed", response: { content: "Hello again!" } });
  });

  it("is not asked for where the first text is long, or there are no tools or rounds", async () => {
    const long = await run({ text: "An answer. ".repeat(50) });
    expect(long.finish.outcome).toBe("completed");
    for (const more of [{ tools: [] }, { tools: [echoTool()], config: { limits: { maxIterations: 1 } } }]) {
      const { config = {}, tools } = more;
      const model = scriptedModel([{ text: "Hello!" }]);
      const events = await runAgent(createAgent({ ...testConfig, ...config }, { model, tools }));
      expect(finishOf(events)).toMatchObject({ outcome: "completed", response: { content: "Hello!" } });
    }
  });

  it("makes the text beside it narration", async () => {
    const { events, finish } = await run({ text: "Here it comes.", calls: [finishCall("The answer.")] });
    expect(outline(events).slice(0, 5)).toEqual([
      "text-start t1 open",
      "text-delta t1 Here it comes.",
      "text-role t1 narration",
      "text-end t1",
      "text-start t2 answer",
    ]);
    expect(finish.answerItems).toEqual(["t2"]);
  });

  it.each(["", "{}", '{"content": ""}', '{"content": " \\n", "is_task_complete": true}', "[]", '""'])(
    "gets a repair round for arguments without content: %s",
    async (args) => {
      const { finish, requests } = await run(
        { calls: [{ name: "finish", arguments: args }] },
        { calls: [finishCall("Now.")] },
      );
      expect(finish).toMatchObject({ outcome: "completed", response: { content: "Now." } });
      expect(requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", results: [{ isError: true }] });
    },
  );

  it.each(['"Now."', JSON.stringify('{"content": "Now."}')])(
    "reads the text %s as its arguments",
    async (args) => {
      const { finish } = await run({ calls: [{ name: "finish", arguments: args }] });
      expect(finish).toMatchObject({ outcome: "completed", response: { content: "Now." } });
    },
  );

  it.each([
    ["a wrong type", { is_task_complete: "perhaps" }],
    ["a list that is none", { citation_ids: { id: "1" } }],
    ["fields that are none", { input_fields: [{ field_name: 7 }] }],
    ["a question that is none", { user_input: 7 }],
  ])("keeps readable content beside %s, as partial", async (_, fields) => {
    const { finish } = await run({ calls: [finishCall("Readable.", fields)] });
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { content: "Readable.", is_task_complete: false },
      error: { code: "agent.bad-finish" },
    });
  });

  it("reads booleans written as words, and ends as failed what the model says did not succeed", async () => {
    const words = { is_task_complete: "yes", require_user_input: "no" };
    expect((await run({ calls: [finishCall("Done.", words)] })).finish.outcome).toBe("completed");
    const failed = await run({ calls: [finishCall("It broke.", { was_task_successful: false })] });
    expect(failed.finish).toMatchObject({
      outcome: "failed",
      answerItems: ["t1"],
      response: { content: "It broke.", is_task_complete: false },
      error: { code: "agent.unsuccessful" },
    });
  });

  it("keeps what was streamed of arguments that break off", async () => {
    const broke = await run({ calls: [{ name: "finish", arguments: '{"content":"Half an ans' }] });
    expect(broke.finish).toMatchObject({ outcome: "partial", response: { content: "Half an ans" } });
    const cut = await run({
      calls: [{ name: "finish", arguments: '{"content":"Half an ans' }],
      stop: "max-tokens",
    });
    expect(cut.finish).toMatchObject({ outcome: "partial", error: { code: "model.max-tokens" } });
    expect(cut.finish.answerItems).toEqual(["t1"]);
  });

  it("completes only what the model calls complete, and needs no more than content and that", async () => {
    const without = await run({ calls: [finishCall("Half.", { is_task_complete: false })] });
    expect(without.finish.outcome).toBe("partial");
    const short = await run({
      calls: [{ name: "finish", arguments: { content: "Yes.", is_task_complete: true } }],
    });
    expect(short.finish.outcome).toBe("completed");
  });

  it("fails without content where it was asked for it and there is no other text", async () => {
    const { finish } = await run({ calls: [finishCall("")] }, { calls: [finishCall(" ")] });
    expect(finish).toMatchObject({
      outcome: "failed",
      answerItems: [],
      response: { content: "", is_task_complete: false },
      error: { code: "agent.no-response" },
    });
  });

  it("asks a model that writes nothing twice, and again only after it has worked on", async () => {
    const nothing = { text: "" };
    const { finish } = await run(
      { text: "Looking.", calls: [say("a")] },
      nothing,
      { text: "Looking again.", calls: [say("b")] },
      nothing,
      nothing,
      nothing,
    );
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { content: "Looking again." },
      error: { code: "agent.no-response" },
    });
    const silent = await run(nothing, nothing, nothing);
    expect(silent.requests.slice(1).map(({ messages }) => messages.at(-1))).toEqual([
      { role: "user", text: "You stopped without an answer. Call finish with the whole answer in content." },
      { role: "user", text: "You wrote nothing, twice. Call one of echo, broken, finish now." },
    ]);
    expect(silent.finish).toMatchObject({ outcome: "failed", error: { code: "agent.no-response" } });
  });

  it("takes what the model wrote last where it finishes without content, asked for it and again", async () => {
    const { events, finish, requests } = await run(
      { text: "All of it is here.", calls: [finishCall("")] },
      { calls: [finishCall("")] },
    );
    expect(requests[1]?.messages.at(-1)).toMatchObject({ results: [{ name: "finish", isError: true }] });
    expect(finish).toMatchObject({
      outcome: "completed",
      answerItems: ["t1"],
      response: { content: "All of it is here." },
    });
    expect(eventsOf(events, "text-start")).toHaveLength(1);
  });

  it("reads content on when another call's arguments come in between", async () => {
    const piece = (callId: string, delta: string) => ({ type: "tool-call-delta" as const, callId, delta });
    const { finish, events } = await run({
      events: [
        { type: "tool-call-start", callId: "f", name: "finish" },
        piece("f", '{"content":"One \\ud83d'),
        { type: "tool-call-start", callId: "e", name: "echo" },
        piece("e", '{"text":"'),
        piece("f", '\\ude00 two","is_task_'),
        piece("e", 'x","content":"no"}'),
        piece("f", 'complete":true}'),
        { type: "stop", reason: "tool-calls" },
      ],
    });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "One 😀 two" } });
    expect(eventsOf(events, "tool-end")).toMatchObject([{ tool: "echo", status: "not-run" }]);
  });

  it("reads content wherever it stands", async () => {
    const args = '{"is_task_complete":true,"citation_ids":[],"content":"Last."}';
    const { finish } = await run({ calls: [{ name: "finish", arguments: args }], split: 3 });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Last." } });
  });
});
