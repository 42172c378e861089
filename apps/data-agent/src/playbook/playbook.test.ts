import { delegationPrompt, type ModelMessage, type ModelRequest } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { playbook } from "./playbook.ts";

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

const suggested = answered("suggest_queries", [
  JSON.stringify([{ title: "Revenue by quarter", sql: "SELECT 1", note: "2026 is not complete." }]),
]);
const queried = answered("query_db", ["result-1a2b: 8 rows\nquarter | revenue"]);

describe("the data playbook", () => {
  it("asks with the first line of what a step is told", () => {
    const prompt = delegationPrompt({
      v: 1,
      objective: "Make a deck.",
      instruction: 'Query the data for: sales figures.\nIt is for this request: "Make a deck by Friday."',
      expectedOutput: "The figures in words.",
      allowedTools: [],
      limits: {},
      results: {},
    });
    expect(playbook(ask(prompt)).calls).toEqual([
      { name: "suggest_queries", arguments: { question: "Query the data for: sales figures." } },
    ]);
    expect(playbook(ask("Revenue by quarter?")).calls?.[0]?.arguments).toEqual({
      question: "Revenue by quarter?",
    });
  });

  it("queries, draws and analyses, and tells the findings under the chart's heading", () => {
    const before = [...suggested, ...queried];
    expect(playbook(ask("x", ...suggested)).calls).toEqual([
      { name: "query_db", arguments: { sql: "SELECT 1" } },
    ]);
    expect(
      playbook(ask("x", ...before)).calls?.map((call) => [call.name, call.arguments["result_id"]]),
    ).toEqual([
      ["visualize", "result-1a2b"],
      ["analyze", "result-1a2b"],
    ]);
    const drawn = [
      ...answered("visualize", ['[chart-1] line chart "Revenue by quarter"']),
      ...answered("analyze", ["8 rows\nFindings:\n- It grew 17 %.\n- Q2 is the peak.\n"]),
    ];
    expect(playbook(ask("x", ...before, ...drawn)).calls?.[0]?.arguments).toMatchObject({
      content: "## Revenue by quarter [chart-1]\n- It grew 17 %.\n- Q2 is the peak.\n- 2026 is not complete.",
      chart_ids: ["chart-1"],
      is_task_complete: true,
    });
  });

  it("shows what there is when no rule fits, and never calls a failure complete", () => {
    const none = answered("suggest_queries", ["[]"]);
    expect(playbook(ask("x", ...none)).calls?.[0]?.name).toBe("describe_data");
    const described = answered("describe_data", ["table sales"]);
    for (const after of [
      [...none, ...described],
      answered("suggest_queries", ["data-mcp is not reachable"], true),
      [...suggested, ...answered("query_db", ["no such table"], true)],
    ])
      expect(playbook(ask("x", ...after)).calls?.[0]).toMatchObject({
        name: "finish",
        arguments: { is_task_complete: false },
      });
  });
});
