import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { ModelError } from "../errors/model-error.ts";
import { eventsOf, finishOf, outline, runAgent, testConfig } from "../testing/run-agent.ts";
import { scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { instantClock } from "../testing/virtual-clock.ts";

const calls = [{ name: "echo", arguments: { text: "x" } }];
const json = (content: string, fields = {}): string =>
  JSON.stringify({ content, is_task_complete: true, require_user_input: false, ...fields });

async function run(...steps: readonly ScriptedStep[]) {
  const model = scriptedModel(steps);
  const agent = createAgent(
    { ...testConfig, response_mode: "structured" },
    { model, tools: [echoTool()], clock: instantClock, newId: () => "id-1" },
  );
  const events = await runAgent(agent);
  model.assertDone();
  return { events, lines: outline(events), finish: finishOf(events), requests: model.requests };
}

describe("structured mode", () => {
  it("asks for the response once the work is done and streams its content as the answer", async () => {
    const { lines, requests } = await run(
      { text: "Looking.", calls },
      { text: "Found it." },
      { text: json("The answer."), split: 15 },
    );
    expect(lines).toEqual([
      "text-start t1 open",
      "text-delta t1 Looking.",
      "text-role t1 narration",
      "text-end t1",
      "tool-start call-1 echo",
      "tool-end call-1 echo ok",
      "text-start t2 open",
      "text-delta t2 Found it.",
      "text-role t2 narration",
      "text-end t2",
      "text-start t3 open",
      "text-delta t3 Composing the answer ...",
      "text-role t3 narration",
      "text-end t3",
      "text-start t4 answer",
      "text-delta t4 The",
      "text-delta t4  answer.",
      "text-end t4",
      "finish completed [t4]",
    ]);
    expect(requests[0]?.tools.map((tool) => tool.name)).toEqual(["echo"]);
    expect(requests[0]?.responseFormat).toBeUndefined();
    expect(requests[2]).toMatchObject({ toolChoice: "none", responseFormat: { name: "agent_response" } });
    expect(requests[2]?.messages.slice(-2)).toMatchObject([
      { role: "assistant", text: "Found it." },
      { role: "user" },
    ]);
    expect(requests[2]?.messages.slice(0, -2)).toEqual(requests[1]?.messages);
  });

  it.each([
    ["a fence", `\`\`\`json\n${json("Yes.")}\n\`\`\``],
    ["prose around it", `Here {is} "it":\n${json("Yes.")}\nHope this helps!`],
    ["two responses, of which the last counts", `${json("No.")}\n${json("Yes.")}`],
    ["content alone", '{"content":"Yes."}'],
    ["content last", '{"is_task_complete":"true","metadata":{"content":"No."},"content":"Yes."}'],
  ])("reads %s", async (_, text) => {
    const { finish } = await run({ text: "Draft." }, { text, split: 4 });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Yes." } });
  });

  it.each([
    ["breaks off in the content", '{"content":"never clo', "end", "agent.bad-finish"],
    ["is cut off in the content", '{"content":"never clo', "max-tokens", "model.max-tokens"],
    [
      "is cut off behind text and a fence",
      'So:\n```json\n{"content":"never clo',
      "max-tokens",
      "model.max-tokens",
    ],
    ["has a field of the wrong type", json("never clo", { is_task_complete: 7 }), "end", "agent.bad-finish"],
  ] as const)("keeps what was streamed when the response %s, as partial", async (_, text, stop, code) => {
    const { finish } = await run({ text: "Draft." }, { text, stop, split: 3 });
    expect(finish).toMatchObject({
      outcome: "partial",
      answerItems: ["t3"],
      response: { content: "never clo", is_task_complete: false },
      error: { code },
    });
  });

  it.each<[string, ScriptedStep]>([
    ["plain text", { text: "I will not write JSON." }],
    ["nothing", { text: "" }],
    ["an empty content", { text: '{"content":""}' }],
    ["a content of another type", { text: '{"content":null}' }],
    ["a call instead", { calls }],
    ["a refusal", { text: "No.", stop: "refusal" }],
    ["an error", { fail: new ModelError("model.auth", "The key was refused.") }],
    ["an error in the content", { text: json("Half."), split: 14, failAfter: 2, fail: new Error("gone") }],
  ])("takes the draft, as partial, when the response is %s", async (_, step) => {
    const { finish } = await run({ text: "The draft." }, step);
    expect(finish).toMatchObject({
      outcome: "partial",
      answerItems: ["t1"],
      response: { content: "The draft." },
      error: { code: "agent.no-response" },
    });
  });

  it.each<[string, ScriptedStep, string]>([
    ["ends with another response", { text: json("First.") + json("Second."), split: 5 }, "Second."],
    ["names its content twice", { text: '{"content":"First.","content":"Second."}' }, "Second."],
    ["is refused in its content", { text: '{"content":"First', stop: "refusal" }, "The draft."],
    [
      "breaks in its content",
      { text: json("First."), split: 14, failAfter: 2, fail: new Error("gone") },
      "The draft.",
    ],
  ])("supersedes what was streamed where the response %s", async (_, step, content) => {
    const { finish, events } = await run({ text: "The draft." }, step);
    expect(finish.response.content).toBe(content);
    const superseded = eventsOf(events, "attempt-start").flatMap(({ items = [] }) => items);
    const shown = eventsOf(events, "text-start").filter(
      ({ itemId, role }) => role === "answer" && !superseded.includes(itemId),
    );
    expect(superseded).toEqual(["t3"]);
    expect(shown.map(({ itemId }) => itemId)).toEqual(content === "Second." ? ["t4"] : []);
    const end = events.findIndex((event) => event.type === "text-end" && event.itemId === "t3");
    // Only what is still open can be taken back on the wire.
    expect(events.findIndex(({ type }) => type === "attempt-start")).toBeLessThan(end);
  });

  it("asks once more where there is neither a draft nor a response, and then no more", async () => {
    const { finish } = await run({ text: "" }, { text: "{}" }, { text: "Now." }, { text: json("Now!") });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Now!" } });
    const silent = await run({ text: "" }, { text: "{}" }, { text: "" }, { text: "{}" });
    expect(silent.finish).toMatchObject({ outcome: "failed", error: { code: "agent.no-response" } });
  });

  it("asks the person when the response says so", async () => {
    const fields = [{ field_name: "repo", field_values: ["a", "b"] }];
    const { finish, lines } = await run(
      { text: "Which one?" },
      {
        text: json("Which one?", {
          require_user_input: true,
          metadata: { user_input: true, input_fields: fields },
        }),
      },
    );
    expect(lines).toContain("input-required");
    expect(finish).toMatchObject({
      outcome: "input-required",
      response: {
        require_user_input: true,
        metadata: {
          user_input: true,
          question: "Which one?",
          input_fields: [{ field_name: "repo", field_type: "select", required: true }],
        },
      },
    });
  });
});

describe("in any mode", () => {
  it.each(["finish", "marker", "structured"] as const)(
    "%s reads a last text that is a response as a whole",
    async (responseMode) => {
      const model = scriptedModel([{ text: `${json("Done.", { is_task_complete: false })}\n` }]);
      const events = await runAgent(createAgent(testConfig, { model }), { responseMode });
      expect(outline(events)).toEqual([
        "text-start t2 answer",
        "text-delta t2 Done.",
        "text-end t2",
        "finish partial [t2]",
      ]);
    },
  );

  it.each(["finish", "marker", "structured"] as const)(
    "%s reads a response behind the last text, of which nobody sees the JSON",
    async (responseMode) => {
      for (const [before, after] of [
        ["", "\n"],
        ["```json\n", "\n```"],
      ] as const) {
        const text = `I can help.\n${before}${json("With tickets.", { is_task_complete: false })}${after}`;
        const model = scriptedModel([{ text, split: 7 }]);
        const events = await runAgent(createAgent(testConfig, { model }), { responseMode });
        const shown = events.flatMap((event) => (event.type === "text-delta" ? [event.delta] : []));
        expect(shown.join("")).toBe("I can help.\nWith tickets.");
        expect(outline(events)).toContain("text-role t1 narration");
        expect(finishOf(events)).toMatchObject({
          outcome: "partial",
          answerItems: ["t2"],
          response: { is_task_complete: false, content: "With tickets." },
        });
      }
    },
  );

  it("asks the person where the response behind the text does", async () => {
    const ask = json("Which one?", { is_task_complete: false, require_user_input: true });
    const model = scriptedModel([{ text: `One more thing.\n${ask}` }]);
    const finish = finishOf(await runAgent(createAgent(testConfig, { model })));
    expect(finish).toMatchObject({
      outcome: "input-required",
      response: { require_user_input: true, metadata: { user_input: true, question: "Which one?" } },
    });
  });

  it("takes text behind the marker for the answer where the response says the same", async () => {
    const model = scriptedModel([{ text: `So.\n[FINAL ANSWER]Done.\n${json("Done.")}`, split: 3 }]);
    const events = await runAgent(createAgent(testConfig, { model }), { responseMode: "marker" });
    expect(finishOf(events)).toMatchObject({ outcome: "completed", answerItems: ["t2"] });
    expect(finishOf(events).response.content.trim()).toBe("Done.");
  });

  it.each(["finish", "marker"] as const)("%s asks again for JSON without a content", async (responseMode) => {
    const model = scriptedModel([{ text: json("") }, { text: "Here." }]);
    const finish = finishOf(await runAgent(createAgent(testConfig, { model }), { responseMode }));
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Here." } });
  });

  const open = json("With tickets.", { is_task_complete: false });
  it.each([
    ["on the line of a sentence", "I can help. ", open, ""],
    ["before a sentence", "", open, "\nHope that helps!"],
    ["in a fence before a sentence", "I can help.\n", `\`\`\`json\n${open}\n\`\`\``, "\nHope that helps!"],
    [
      "complete in a fence before a sentence",
      "",
      `\`\`\`\n${json("With tickets.")}\n\`\`\``,
      " Hope that helps!",
    ],
    ["behind another", "I can help.\n", `${json("No.")}\n${open}`, ""],
    ["that begins with its metadata", "", `{"metadata":{"user_input":false},${open.slice(1)}`, ""],
  ])("takes a response %s, whatever surrounds it", async (_, before, written, after) => {
    for (const responseMode of ["finish", "marker", "structured"] as const) {
      const model = scriptedModel([{ text: before + written + after, split: 5 }]);
      const events = await runAgent(createAgent(testConfig, { model }), { responseMode });
      const { outcome, response } = finishOf(events);
      const complete = !written.includes('"is_task_complete":false');
      expect([outcome, response.content]).toEqual([complete ? "completed" : "partial", "With tickets."]);
      const shown = eventsOf(events, "text-delta").map(({ delta }) => delta);
      expect(shown.join("")).not.toMatch(/[{}`]/);
      expect(shown.join("")).toContain(after);
    }
  });

  it("completes with the text behind the marker, and takes only the flags of JSON in it", async () => {
    for (const after of ["", "\nHope that helps!"]) {
      const text = `Looking.\n[FINAL ANSWER]\nThe text.${json("Other.", { is_task_complete: false })}${after}`;
      const model = scriptedModel([{ text, split: 4 }]);
      const events = await runAgent(createAgent(testConfig, { model }), { responseMode: "marker" });
      expect(finishOf(events)).toMatchObject({
        outcome: "partial",
        answerItems: ["t2"],
        response: { content: `The text.${after}` },
      });
      const shown = eventsOf(events, "text-delta").filter(({ itemId }) => itemId !== "t1");
      expect(shown.map(({ delta }) => delta).join("")).toBe(`The text.${after}`);
    }
  });

  it("takes the content of JSON behind the marker where nothing else was written", async () => {
    const rounds = [{ text: "[FINAL ANSWER]\nOne. ", calls }, { text: `${open}\n` }];
    const agent = createAgent(testConfig, { model: scriptedModel(rounds), tools: [echoTool()] });
    const events = await runAgent(agent, { responseMode: "marker" });
    expect(finishOf(events)).toMatchObject({
      outcome: "partial",
      answerItems: ["t1", "t2"],
      response: { content: "One. With tickets." },
    });
  });

  it.each(["finish", "marker"] as const)(
    "%s delivers JSON that the person asked for",
    async (responseMode) => {
      for (const text of [
        `The JSON you asked for:\n\`\`\`json\n${json("hello")}\n\`\`\``,
        `The JSON you asked for:\n\`\`\`json\n${json("hello")}\n\`\`\`\nSend it as the body.`,
        `Send \`${json("hello")}\` as the body.`,
        'Send {"content":"hello","to":"x"} as the body.',
        '{"content":"x"}',
        '{"is_task_complete":true}',
      ]) {
        const marked = responseMode === "marker" ? `[FINAL ANSWER]\n${text}` : text;
        const model = scriptedModel([{ text: marked, split: 5 }]);
        const finish = finishOf(await runAgent(createAgent(testConfig, { model }), { responseMode }));
        expect(finish).toMatchObject({ outcome: "completed", response: { content: text } });
      }
    },
  );
});
