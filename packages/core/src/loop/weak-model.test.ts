import { describe, expect, it } from "vitest";

import { contextCompaction } from "../middleware/context-compaction.ts";
import type { Delegation } from "../ports/delegation.ts";
import { eventsOf } from "../testing/run-agent.ts";
import { finishCall } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import {
  annotations,
  claim,
  finished,
  quote,
  run,
  save,
  search,
  searchTool,
} from "./weak-model.test-bench.ts";

const written = '{"name": "rag_search", "arguments": {"query": "train"}}';

describe("a tool call that is written as text", () => {
  it.each([
    ["a tag", `<tool_call>${written}</tool_call>`],
    ["a fence", `I will search.\n\`\`\`json\n${written}\n\`\`\``],
    ["bare JSON", written],
    ["another name", `[TOOL_CALLS] [{"name":"functions.rag_search","arguments":{"q":"train"}}]`],
    ["Python", 'rag_search(query="train")'],
    ["an object in parentheses", `I will search.\nrag_search({"query": "train"})`],
    ["one text", "rag_search('train')"],
    ["a fence of Gemma", "```tool_code\nprint(default_api.rag_search(query='train'))\n```"],
    ["an action", 'I will search.\nAction: rag_search\nAction Input: {"q": "train"}\nObservation: By car.'],
    ["an element", '<invoke name="rag_search"><parameter name="query">train</parameter></invoke>'],
    ["arguments beside the name", '{"tool": "rag_search", "query": "train"}'],
    ["a last comma", '{"name": "rag_search", "arguments": {"query": "train",},}'],
    ["a tag of Llama", `<|python_tag|>${written}`],
    ["a function", '<function=rag_search>{"query": "train"}</function>'],
  ])("is run, and not shown to the person: %s", async (_, text) => {
    const { finish, events, requests, told } = await run({ steps: [{ text, split: 7 }, finished] });
    expect(eventsOf(events, "tool-start")).toMatchObject([
      { tool: "rag_search", arguments: { query: "train" } },
    ]);
    expect(requests[1]?.messages.at(-2)).toMatchObject({
      role: "assistant",
      toolCalls: [{ name: "rag_search" }],
    });
    expect(told[0]).toContain("This call was read from your text.");
    expect(finish).toMatchObject({ outcome: "completed", response: { content: `${quote} [1]` } });
    const shown = eventsOf(events, "text-delta").map(({ delta }) => delta);
    expect(shown.join("")).toBe(`${text.includes("I will") ? "I will search.\n" : ""}${quote} [1]`);
  });

  it("is not part of the answer where it was written behind the marker", async () => {
    const config = { response_mode: "marker" };
    const steps = [
      { text: `[FINAL ANSWER]\n<tool_call>${written}</tool_call>` },
      { text: "[FINAL ANSWER]By train." },
    ];
    const { finish, events } = await run({ steps, config });
    expect(eventsOf(events, "text-delta").map(({ delta }) => delta)).toEqual(["By train."]);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "By train." } });
  });

  it("may be finish", async () => {
    const text = `<tool_call>${JSON.stringify({ name: "finish", arguments: { content: "By train." } })}</tool_call>`;
    const { finish } = await run({ steps: [{ calls: [search] }, { text }] });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "By train." } });
  });

  it("may be finish in Python", async () => {
    const text = "finish(content='By train.', is_task_complete=True, citation_ids=[])";
    const { finish } = await run({ steps: [{ calls: [search] }, { text }] });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "By train." } });
  });

  it.each([
    ["prose", 'The tool rag_search(query="train") finds what the policy says of trains [1].'],
    [
      "an explanation",
      'Search like this:\n```python\nrag_search(query="train")\n```\nThen read the passages.',
    ],
  ])("is not read from %s", async (_, text) => {
    const { finish, events } = await run({ steps: [{ calls: [search] }, { text }] });
    expect(eventsOf(events, "tool-end")).toHaveLength(1);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: text } });
  });

  it("is not read from an answer that is given with finish", async () => {
    const content = 'Search like this:\n```python\nrag_search(query="train")\n```';
    const { finish, events } = await run({
      steps: [{ calls: [search] }, { text: content, calls: [finishCall(content)] }],
    });
    expect(eventsOf(events, "tool-start")).toHaveLength(1);
    expect(finish).toMatchObject({ outcome: "completed", response: { content } });
  });

  it("is sent back once if it cannot be read, and is never the answer", async () => {
    const text = "<tool_call>{'name': 'rag_search'}</tool_call>";
    const again = await run({ steps: [{ calls: [search] }, { text }, finished] });
    expect(again.told[1]).toContain("You wrote a tool call as text, and text is not run.");
    expect(again.told[1]).toContain("rag_search, save, finish");
    expect(again.finish.outcome).toBe("completed");
    const twice = await run({ steps: [{ text }, { text }] });
    expect(twice.finish).toMatchObject({
      outcome: "failed",
      response: { content: "" },
      error: { code: "agent.no-response", message: expect.stringContaining("tool calls as text") },
    });
  });

  it("is questioned if text surrounds it, and delivered if the model repeats it", async () => {
    const text = `A model searches with <tool_call>${written}</tool_call> here.`;
    const { finish, told } = await run({ steps: [{ calls: [search] }, { text }, { text }] });
    expect(told[1]).toContain("You wrote a tool call as text");
    expect(finish).toMatchObject({ outcome: "completed", response: { content: text } });
  });

  it("is an answer if the expected answer has that form", async () => {
    const delegation: Delegation = {
      v: 1,
      objective: "Which call?",
      instruction: "Which call?",
      expectedOutput: "",
      outputSchema: { type: "object", properties: { name: {}, arguments: {} } },
      allowedTools: [],
      limits: {},
      results: {},
    };
    const steps = [{ calls: [search] }, { text: written }];
    const { finish } = await run({ steps, request: { delegation } });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: written } });
  });

  it.each(["Delete it with:\n", ""])(
    "is not run if the tool is destructive, after the text %j",
    async (before) => {
      const remove = {
        ...echoTool("remove"),
        annotations: { ...annotations, readOnly: false, destructive: true },
      };
      const text = `${before}\`\`\`json\n{"name": "remove", "arguments": {"text": "a"}}\n\`\`\``;
      const { finish, events } = await run({ tools: [remove], steps: [{ text }, { text }] });
      expect(eventsOf(events, "tool-start")).toEqual([]);
      expect(finish).toMatchObject({ outcome: "completed", response: { content: text } });
    },
  );
});

describe("a call with one meaning", () => {
  it("is run, and the model is told how it was read", async () => {
    const call = {
      name: "functions.Rag-Search",
      arguments: { q: "train", limit: "3", top: null, sort: "x" },
    };
    const { events, told, requests } = await run({ steps: [{ calls: [call] }, finished] });
    expect(eventsOf(events, "tool-start")).toMatchObject([
      { tool: "rag_search", arguments: { query: "train", limit: 3 } },
    ]);
    expect(told[0]).toContain("Called rag_search; you wrote functions.Rag-Search.");
    expect(told[0]).toContain(
      "Arguments: read q as query, limit as a number; left out top, sort, which rag_search does not take.",
    );
    expect(requests[1]?.messages.at(-2)).toMatchObject({ toolCalls: [{ name: "rag_search" }] });
  });

  it("may be finish under another name", async () => {
    const steps = [
      { calls: [search] },
      { calls: [{ ...finishCall("By train."), name: "functions.finish" }] },
    ];
    const { finish, events } = await run({ steps });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "By train." } });
    expect(eventsOf(events, "tool-end")).toHaveLength(1);
  });

  it.each(["answer", "text", "final_answer", "Response"])("is finish with its content as %s", async (key) => {
    const call = { name: "finish", arguments: { [key]: "By train.", is_task_complete: true } };
    const { finish, events } = await run({ steps: [{ calls: [search] }, { calls: [call] }] });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "By train." } });
    expect(eventsOf(events, "text-delta").map(({ delta }) => delta)).toEqual(["By train."]);
  });

  it("is not finish with two texts that may be its content", async () => {
    const call = { name: "finish", arguments: { answer: "By train.", message: "Done." } };
    const { finish, told } = await run({ steps: [{ calls: [search] }, { calls: [call] }, finished] });
    expect(told[1]).toContain("content: is empty; you wrote answer, message");
    expect(finish.outcome).toBe("completed");
  });

  it("keeps the note about its arguments in a refusal", async () => {
    const call = { name: "rag_search", arguments: { topic: "train" } };
    const { told, events } = await run({ steps: [{ calls: [call] }, { calls: [search] }, finished] });
    expect(told[0]).toContain("query: Invalid input");
    expect(eventsOf(events, "tool-end")[0]?.summary).toMatch(
      /^The arguments of rag_search were not accepted: query: Invalid input/,
    );
    expect(told[0]).toContain('Valid: {"query":"..."}');
    expect(told[0]).toContain("left out topic, which rag_search does not take");
  });
});

describe("the same call again", () => {
  const AGAIN = "You have this result already (round 2): use it, or search for something else.";
  const other = { name: "rag_search", arguments: { limit: 3, query: "train" } };
  const same = { name: "rag_search", arguments: { query: "train", limit: 3 } };

  it("is not run a third time", async () => {
    const steps = [{ calls: [other] }, { calls: [same] }, { calls: [other] }, finished];
    const { told, events } = await run({ steps });
    expect(eventsOf(events, "tool-end").map(({ status }) => status)).toEqual(["ok", "ok", "not-run"]);
    expect(told[2]).toBe(AGAIN);
  });

  it("is run after something was changed, and where its tool changes something", async () => {
    const steps = [search, search, save, search, save, save, save].map((call) => ({ calls: [call] }));
    const { events } = await run({ steps: [...steps, finished] });
    expect(eventsOf(events, "tool-end").every(({ status }) => status === "ok")).toBe(true);
  });

  it("is run where its result was shortened meanwhile", async () => {
    const tools = [searchTool((query) => ({ text: `${query} ${"x".repeat(4_000)}` }))];
    const more = ["a", "b"].map((query) => ({ calls: [{ name: "rag_search", arguments: { query } }] }));
    const steps = [{ calls: [search] }, { calls: [search] }, ...more, { calls: [search] }, finished];
    const middleware = [contextCompaction({ maxTokens: 2_000, keepRounds: 1 })];
    const { events } = await run({ tools, steps, middleware });
    expect(eventsOf(events, "tool-end").map(({ status }) => status)).toEqual(Array(5).fill("ok"));
  });

  it("says that it failed the same way three times", async () => {
    const tools = [searchTool(() => ({ text: "The index is away.", isError: true }))];
    const steps = [
      ...Array.from({ length: 3 }, () => ({ calls: [search] })),
      { calls: [finishCall("No.", { was_task_successful: false })] },
    ];
    const { told } = await run({ tools, steps });
    expect(told.slice(0, 2)).toEqual(["The index is away.", "The index is away."]);
    expect(told[2]).toBe(
      "The index is away.\n\nThis call has failed the same way 3 times: change its arguments, or do something else.",
    );
  });
});

describe("the last round", () => {
  it("says so behind the conversation, and lets only finish be called", async () => {
    const { requests } = await run({ steps: [{ calls: [search] }, finished], config: { max_iterations: 2 } });
    expect(requests[0]).not.toHaveProperty("toolChoice");
    expect(requests[1]).toMatchObject({ toolChoice: { name: "finish" }, tools: requests[0]?.tools });
    expect(requests[1]?.messages.at(-1)).toEqual({
      role: "user",
      text: "This is the last round: call finish now, with the answer from what you have, and say in it what is missing.",
    });
    // What is cached of the rounds before stays good.
    expect(requests[1]?.messages.slice(0, 1)).toEqual(requests[0]?.messages);
    expect(requests[1]?.system).toBe(requests[0]?.system);
  });

  it.each(["marker", "structured"])("offers no tool in %s mode", async (response_mode) => {
    const last =
      response_mode === "marker"
        ? [{ text: "[FINAL ANSWER]A." }]
        : [{ text: "A." }, { text: '{"content":"A."}' }];
    const config = { max_iterations: 2, response_mode };
    const { requests, finish } = await run({ steps: [{ calls: [search] }, ...last], config });
    expect(requests[1]).toMatchObject({ toolChoice: "none" });
    expect(requests[1]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining("last round") });
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "A." } });
  });

  it("hands over what was found by ten searches and no answer", async () => {
    const steps = Array.from({ length: 10 }, (_, n) => ({
      ...(n === 9 && { text: "I search on." }),
      calls: [{ name: "rag_search", arguments: { query: `q${n}` } }],
    }));
    const { finish } = await run({ steps, checked: true });
    expect(finish).toMatchObject({
      outcome: "partial",
      response: {
        content: `No answer was written. This was found:\n\n- travel.md: "${quote}" [1]`,
        citations: [{ id: "1" }],
      },
      error: { code: "agent.limit" },
    });
  });

  it("hands over the last draft, or results without passages", async () => {
    const draft = `${claim} `.repeat(10);
    const one = await run({ steps: [{ text: draft, calls: [search] }], config: { max_iterations: 1 } });
    expect(one.finish).toMatchObject({ outcome: "partial", response: { content: draft } });
    const tools = [searchTool(() => ({ text: "| 1 |\n| 2 |" }))];
    const rows = await run({ tools, steps: [{ calls: [search] }], config: { max_iterations: 1 } });
    expect(rows.finish.response.content).toBe(
      "No answer was written. This was found:\n\n- rag_search: | 1 | | 2 |",
    );
  });
});

describe("empty answers", () => {
  it.each([
    ["without a text", { calls: [search] }],
    ["with an announcement", { text: "I will search.", calls: [search] }],
  ])("in finish, twice, end with what was found by a model %s", async (_, first) => {
    const empty = { calls: [finishCall("")] };
    const { finish } = await run({ steps: [first, empty, empty] });
    expect(finish).toMatchObject({
      outcome: "partial",
      response: {
        content: `No answer was written. This was found:\n\n- travel.md: "${quote}" [1]`,
        citations: [{ id: "1" }],
      },
      error: { code: "agent.no-response" },
    });
  });

  it("end with what was found, after the model was told the names of its tools", async () => {
    const nothing = { text: " " };
    const { finish, told } = await run({ steps: [{ calls: [search] }, nothing, nothing, nothing] });
    expect(told.slice(1)).toEqual([
      "You stopped without an answer. Call finish with the whole answer in content.",
      "You wrote nothing, twice. Call one of rag_search, save, finish now.",
    ]);
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { content: expect.stringContaining(quote) },
      error: {
        code: "agent.no-response",
        message: "The model wrote no answer, also when it was asked for one.",
      },
    });
  });
});
