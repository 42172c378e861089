import type { ModelMessage, ModelRequest } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { playbook } from "./playbook.ts";
import { FACETS, isBroad, topicOf } from "./topic.ts";

const ask = (text: string, ...after: readonly ModelMessage[]): ModelRequest => ({
  system: "",
  messages: [{ role: "user", text }, ...after],
  tools: [],
});

function answered(name: string, texts: readonly string[], isError = false): readonly ModelMessage[] {
  const calls = texts.map((_, index) => ({ callId: `${name}-${index}`, name, arguments: "{}" }));
  return [
    { role: "assistant", text: "", toolCalls: calls },
    {
      role: "tool",
      results: calls.map(({ callId }, index) => ({ callId, name, text: texts[index] ?? "", isError })),
    },
  ];
}

describe("topicOf", () => {
  it.each([
    ["What do our documents say about the AI strategy, its goals and risks?", "the AI strategy"],
    [
      "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures",
      "Norrvik's AI strategy",
    ],
    ["Find what the documents say about: Norrvik's AI strategy.", "Norrvik's AI strategy"],
    ["How many days of leave do I get?", "How many days of leave do I get"],
  ])("%j is about %j", (request, topic) => {
    expect(topicOf(request)).toBe(topic);
  });

  it("is not held up by a long request", () => {
    for (const filler of [" ", ".", "and its "]) expect(topicOf(`a${filler.repeat(500_000)}b`)).toMatch(/^a/);
  });

  it("tells a topic from a question", () => {
    expect(isBroad("Summarise the AI strategy")).toBe(true);
    expect(isBroad("How many days of leave do I get?")).toBe(false);
  });
});

describe("the rag playbook", () => {
  it("looks at a broad topic from every side in one round", () => {
    const calls = playbook(ask("Summarise the AI strategy")).calls ?? [];
    expect(calls.map((call) => call.name)).toEqual(["rag_search", ...FACETS.map(() => "summarize")]);
    expect(calls[1]?.arguments).toMatchObject({ subject: "the AI strategy", aspect: FACETS[0]?.words });
  });

  it("asks one question once, in the words it was asked", () => {
    const calls = playbook(
      ask("The goal of the whole run: x\n\nYour task: How many days of leave?\n\nExpected output: a number"),
    ).calls;
    expect(calls?.map((call) => call.arguments)).toEqual([
      { query: "How many days of leave?", limit: 6 },
      { subject: "How many days of leave?", max_sentences: 4 },
    ]);
  });

  it("copies each sentence once, under the heading that found it, with its source", () => {
    const search = answered("rag_search", ["[1] a passage"]);
    const extracts = answered("summarize", [
      "- Halve false alarms [1]",
      "- Halve false alarms [1]\n- Build Foresight [2]",
    ]);
    const draft = "## Goals\n- Halve false alarms [1]\n\n## Initiatives\n- Build Foresight [2]";
    const check = playbook(ask("Summarise the AI strategy", ...search, ...extracts)).calls?.[0];
    expect(check).toEqual({ name: "cite_sources", arguments: { draft } });
    const checked = answered("cite_sources", ["fine"]);
    const end = playbook(ask("Summarise the AI strategy", ...search, ...extracts, ...checked)).calls?.[0];
    expect(end?.arguments).toMatchObject({ content: draft, citation_ids: ["1", "2"] });
  });

  it("says that the documents do not say it, and never claims a broken search as an answer", () => {
    const nothing = [
      ...answered("rag_search", ["Nothing relevant."]),
      ...answered("summarize", ["No sentence."]),
    ];
    expect(playbook(ask("Who is the king?", ...nothing)).calls?.[0]?.arguments["content"]).toContain(
      "do not say anything",
    );
    const broken = answered("rag_search", ["rag-mcp is not reachable"], true);
    expect(playbook(ask("Who is the king?", ...broken)).calls?.[0]?.arguments).toMatchObject({
      is_task_complete: false,
    });
  });
});
