import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { ModelError } from "../errors/model-error.ts";
import { eventsOf, finishOf, outline, runAgent, testConfig } from "../testing/run-agent.ts";
import { scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { instantClock } from "../testing/virtual-clock.ts";

const reset = new ModelError("model.stream-broken", "reset", { retryable: true });
const calls = [{ name: "echo", arguments: { text: "x" } }];

async function run(steps: readonly ScriptedStep[], config = {}) {
  const model = scriptedModel(steps);
  const agent = createAgent(
    { ...testConfig, response_mode: "marker", ...config },
    { model, tools: [echoTool()], clock: instantClock, newId: () => "id-1" },
  );
  const events = await runAgent(agent);
  model.assertDone();
  return { lines: outline(events), finish: finishOf(events), requests: model.requests };
}

describe("marker mode", () => {
  it("offers no finish and says how the answer is marked", async () => {
    const { requests } = await run([{ text: "[FINAL ANSWER]ok" }]);
    expect(requests[0]?.tools.map((tool) => tool.name)).toEqual(["echo"]);
    expect(requests[0]?.system).toContain("[FINAL ANSWER]");
    expect(requests[0]?.system).not.toContain("finish");
  });

  it("streams what is before the marker as narration and what is behind it as the answer", async () => {
    const { lines } = await run([{ text: "Planning. [FINAL ANSWER]\n\nParis.", split: [12, 18, 4] }]);
    expect(lines).toEqual([
      "text-start t1 open",
      "text-delta t1 Planning. ",
      "text-role t1 narration",
      "text-end t1",
      "text-start t2 answer",
      "text-delta t2 Pari",
      "text-delta t2 s.",
      "text-end t2",
      "finish completed [t2]",
    ]);
  });

  it("keeps the gate open over later calls, and joins all that came behind the marker", async () => {
    const { lines, finish, requests } = await run([
      { text: "Looking. [FINAL ANSWER]\nPart one. ", calls },
      { text: "Part [FINAL ANSWER]two." },
    ]);
    expect(lines.slice(4)).toEqual([
      "text-start t2 answer",
      "text-delta t2 Part one. ",
      "text-end t2",
      "tool-start call-1 echo",
      "tool-end call-1 echo ok",
      "text-start t3 answer",
      "text-delta t3 Part two.",
      "text-end t3",
      "finish completed [t2,t3]",
    ]);
    expect(finish.response.content).toBe("Part one. Part two.");
    expect(requests[1]?.messages.at(-2)).toMatchObject({
      role: "assistant",
      text: "Looking. [FINAL ANSWER]\nPart one. ",
    });
  });

  it("opens at a marker that a call cuts in two", async () => {
    const { lines } = await run([{ text: "Almost. [FINAL ANS", calls }, { text: "WER]\nResult" }]);
    expect(lines).toEqual([
      "text-start t1 open",
      "text-delta t1 Almost. ",
      "text-role t1 narration",
      "text-end t1",
      "tool-start call-1 echo",
      "tool-end call-1 echo ok",
      "text-start t2 answer",
      "text-delta t2 Result",
      "text-end t2",
      "finish completed [t2]",
    ]);
  });

  it("loses nothing of a begun marker that stays one", async () => {
    const goesOn = await run([{ text: "See [FINAL", calls }, { text: " VERDICT] of it." }]);
    expect(goesOn.finish.response.content).toBe("[FINAL VERDICT] of it.");
    const ends = await run([{ text: "See [FINAL", calls }], { max_iterations: 1 });
    expect(ends.lines.slice(-5)).toEqual([
      "text-start t2 open",
      "text-delta t2 [FINAL",
      "text-role t2 narration",
      "text-end t2",
      "finish partial [t1]",
    ]);
  });

  it("takes the last round's text where the marker never comes", async () => {
    const { finish } = await run([{ text: "Draft.", calls }, { text: "The answer." }]);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "The answer." } });
  });

  it("asks again where nothing follows the marker", async () => {
    const { finish, requests } = await run([{ text: "Hm. [FINAL ANSWER]\n" }, { text: "Here it is." }]);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Here it is." } });
    expect(requests[1]?.messages.slice(-2)).toMatchObject([
      { role: "assistant", text: "Hm. [FINAL ANSWER]\n" },
      { role: "user" },
    ]);
  });

  it("takes what stands before the marker where nothing follows it, asked again or not", async () => {
    const { finish } = await run([{ text: "Nothing to say. [FINAL ANSWER]" }, { text: "" }]);
    expect(finish).toMatchObject({
      outcome: "completed",
      answerItems: ["t1"],
      response: { content: "Nothing to say. " },
    });
  });

  it("goes back to where the round began when its stream breaks", async () => {
    const { lines, finish } = await run([
      { text: "One. ", calls },
      { text: "[FINAL ANSWER]\nHalf an", split: 14, fail: reset },
      { text: "Again. [FINAL ANSWER]\nOK" },
    ]);
    expect(lines.filter((line) => line.startsWith("text-start"))).toEqual([
      "text-start t1 open",
      "text-start t2 answer",
      "text-start t3 open",
      "text-start t4 answer",
    ]);
    expect(finish).toMatchObject({ outcome: "completed", answerItems: ["t4"], response: { content: "OK" } });
  });

  it("keeps what is behind the marker when the run is cut short", async () => {
    const broken = await run([{ text: "a [FINAL ANSWER]\nHalf an", split: 18, fail: new Error("gone") }]);
    expect(broken.finish).toMatchObject({ outcome: "partial", response: { content: "Half an" } });
    const limit = await run(
      [
        { text: "[FINAL ANSWER]One. ", calls },
        { text: "Two.", calls },
      ],
      {
        max_iterations: 2,
      },
    );
    expect(limit.finish).toMatchObject({ outcome: "partial", response: { content: "One. Two." } });
    const cut = await run([{ text: "[FINAL ANSWER]Half", stop: "max-tokens" }]);
    expect(cut.finish).toMatchObject({ outcome: "partial", error: { code: "model.max-tokens" } });
  });

  it("tells a model that calls finish that there is none", async () => {
    const { finish, requests } = await run([
      { calls: [{ name: "finish", arguments: { content: "x" } }] },
      { text: "[FINAL ANSWER]x" },
    ]);
    expect(finish.outcome).toBe("completed");
    expect(requests[1]?.messages.at(-1)).toMatchObject({ results: [{ name: "finish", isError: true }] });
  });

  it("streams whole words where the agent is configured so", async () => {
    const text = "Some words. [FINAL ANSWER]\nA long answer";
    const { lines } = await run([{ text, split: 3 }], { stream_by: "word" });
    expect(lines.filter((line) => line.startsWith("text-delta"))).toEqual([
      "text-delta t1 Some ",
      "text-delta t1 words. ",
      "text-delta t2 A ",
      "text-delta t2 long ",
      "text-delta t2 answer",
    ]);
  });

  it("lets the request decide over the configuration", async () => {
    const model = scriptedModel([{ text: "a [FINAL ANSWER]b" }]);
    const agent = createAgent(testConfig, { model, clock: instantClock });
    const finish = finishOf(await runAgent(agent, { responseMode: "marker" }));
    expect(finish.response.content).toBe("b");
  });

  it.each([
    ["a marker in two", "Almost. [FINAL ANS", "WER]\nDone.", ["Almost. "], "Done."],
    ["what is behind the marker", "[FINAL ANSWER]One. ", "Two.", ["One. "], "One. Two."],
    ["a begun marker that stays one", "Almost. [FINAL", " WORD] Yes.", ["Almost. "], "[FINAL WORD] Yes."],
  ])("goes on where it stood when an approval cuts %s", async (_, first, then, shown, content) => {
    const model = scriptedModel([{ text: first, calls }, { text: then }]);
    const deps = { model, tools: [echoTool()], clock: instantClock, newId: () => "id-1" };
    const agent = createAgent({ ...testConfig, response_mode: "marker", approve: ["echo"] }, deps);
    const asked = await runAgent(agent);
    expect(finishOf(asked).outcome).toBe("input-required");
    expect(eventsOf(asked, "text-delta").map(({ delta }) => delta)).toEqual(shown);
    const decisions = [{ callId: "call-1", type: "approve" as const }];
    const events = await runAgent(agent, { reply: { requestId: "id-1", decisions } });
    expect(finishOf(events)).toMatchObject({ outcome: "completed", response: { content } });
  });
});
