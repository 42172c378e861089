import type { ChartSpec, Citation, ResultTable } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { AnswerEvidence } from "../ports/answer-check.ts";
import type { StepResult } from "../ports/delegation.ts";
import type { Tool } from "../ports/tool.ts";
import { fakeAnswerCheck } from "../testing/fake-answer-check.ts";
import { finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";

describe("the evidence of an answer", () => {
  const table: ResultTable = { id: "result-1", columns: ["region", "revenue"], rows: [["North", 4.5]] };
  const passage: Citation = {
    id: "a",
    document: "d",
    source: "d.md",
    collection: "c",
    chunkId: "k",
    quote: "q",
    start: 0,
    end: 1,
  };
  const drawn: ChartSpec = {
    v: 1,
    id: "chart-2",
    kind: "bar",
    title: "Revenue",
    series: [{ field: "n", label: "n", type: "number" }],
    rows: [{ n: 4.5 }],
    provenance: { resultId: "r", query: "q", source: "s.csv" },
  };
  const query = echoTool("query", (text) => ({ text, tables: [table] }));
  const call = (name: string, text = "x") => ({ name, arguments: { text } });

  async function checked(
    steps: readonly ScriptedStep[],
    more: { readonly tools?: readonly Tool[]; readonly request?: Partial<AgentRequest> } = {},
  ) {
    const { tools = [query, echoTool()], request } = more;
    const check = fakeAnswerCheck({ words: { Tideline: "uncited", "2.4": "figure" } });
    const deps = { model: scriptedModel(steps), tools, clock: virtualClock(), answerCheck: check };
    return { check, finish: finishOf(await runAgent(createAgent(testConfig, deps), request)) };
  }

  const results = (more: Partial<StepResult>): { readonly [id: string]: StepResult } => ({
    other: {
      stepId: "other",
      agent: "x",
      outcome: "completed",
      answer: "Tideline offered. Sales were 2.4 million.",
      data: null,
      citations: [],
      artifacts: [],
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
      provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
      ...more,
    },
  });
  const delegated = (more: Partial<StepResult>): Partial<AgentRequest> => ({
    delegation: {
      v: 1,
      objective: "Report.",
      instruction: "Write it.",
      expectedOutput: "",
      allowedTools: [],
      limits: {},
      results: results(more),
    },
  });

  it("is what the request, the conversation and tools without sources say, and the date", async () => {
    const { check } = await checked([{ calls: [call("count", "All?")] }, { calls: [finishCall("Yes.")] }], {
      tools: [echoTool("count", () => ({ text: "All 12 hold." }))],
      request: { text: "Is 3 right?", history: [{ role: "user", text: "Hello 4." }] },
    });
    expect(check.asked[0]?.evidence).toEqual({
      citations: [],
      tables: [],
      given: ["Hello 4.", "Is 3 right?", "All 12 hold.", "2023-11-14"],
    });
  });

  it("is of an agent's earlier answer what was checked and holds", async () => {
    const text = "Tideline offered. Sales were 2.4 million.";
    const checks = [
      { sentence: "Tideline offered.", status: "verified" as const },
      {
        sentence: "Sales were 2.4 million.",
        status: "finding" as const,
        finding: { kind: "uncited" as const, detail: "" },
      },
    ];
    const yes = { calls: [finishCall("Yes.")] };
    for (const [turn, given] of [
      [{ role: "agent", text }, []],
      [{ role: "agent", text, checks }, ["Tideline offered."]],
    ] as const) {
      const { check } = await checked([yes], { request: { text: "So?", history: [turn] } });
      expect(check.asked[0]?.evidence.given).toEqual(["So?", ...given, "2023-11-14"]);
    }
  });

  it("is neither the instruction of a delegation nor an error of a tool", async () => {
    const fails = echoTool("fails", (text) => ({ text: `No "${text}", try 7.`, isError: true }));
    const { check } = await checked([{ calls: [call("fails")] }, { calls: [finishCall("Yes.")] }], {
      tools: [fails],
      request: {
        delegation: {
          v: 1,
          objective: "Report 5.",
          instruction: "State that Tideline grew by 2.4.",
          expectedOutput: "A growth of 2.4.",
          allowedTools: [],
          limits: {},
          results: {},
        },
      },
    });
    expect(check.asked[0]?.evidence.given).toEqual(["Report 5.", "2023-11-14"]);
  });

  it("has 400,000 characters of the request", async () => {
    const text = `${"word ".repeat(79_000)}2.4`;
    const { check } = await checked([{ calls: [finishCall("Yes.")] }], { request: { text } });
    expect(check.asked[0]?.evidence.given[0]).toBe(text);
  });

  it("has the newest 50 tables, with cells of 500 characters", async () => {
    let n = 0;
    const grows = echoTool("grows", (text) => ({
      text,
      tables: Array.from({ length: 30 }, () => ({
        ...table,
        id: `result-${n++}`,
        rows: [["x".repeat(9_000)]],
      })),
    }));
    const { check } = await checked(
      [{ calls: [call("grows"), call("grows")] }, { calls: [finishCall("So.")] }],
      { tools: [grows] },
    );
    const { tables = [] } = check.asked[0]?.evidence ?? {};
    expect(tables.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `result-${at + 10}`));
    expect(String(tables[0]?.rows[0]?.[0])).toHaveLength(500);
  });

  it("is the first line of the summary of a tool with sources", async () => {
    const search = echoTool("search", (text) => ({
      text,
      summary: "2 passages, searched 25 documents\nAnd more.",
      citations: [passage],
    }));
    const { check } = await checked([{ calls: [call("search")] }, { calls: [finishCall("Yes.")] }], {
      tools: [search],
    });
    expect(check.asked[0]?.evidence.given).toEqual([
      "Go.",
      "2 passages, searched 25 documents",
      "2023-11-14",
    ]);
  });

  it("is the tables of the run, which the response carries, a cited one is known", async () => {
    const { check, finish } = await checked([
      { calls: [call("query", "4.5 in result-1")] },
      { calls: [finishCall("North has 4.5 [result-1].", { citation_ids: ["result-1"] })] },
    ]);
    expect(check.asked[0]?.evidence).toMatchObject({ tables: [table], given: ["Go.", "2023-11-14"] });
    expect(finish).toMatchObject({ outcome: "completed", response: { data: { tables: [table] } } });
  });

  it("gives tables with other rows another id, and those with the same rows none", async () => {
    let n = 0;
    const grows = echoTool("grows", (text) => ({
      text,
      tables: [{ ...table, rows: [[text, n++ > 1 ? 2 : 1]] }],
    }));
    const { finish } = await checked(
      [{ calls: [call("grows"), call("grows"), call("grows")] }, { calls: [finishCall("So.")] }],
      { tools: [grows] },
    );
    expect(finish.response.data?.tables?.map(({ id, rows }) => [id, rows])).toEqual([
      ["result-1", [["x", 1]]],
      ["result-1-2", [["x", 2]]],
    ]);
  });

  it("carries at most 200 kB of tables", async () => {
    const rows = Array.from({ length: 600 }, (_, index) => [`row ${index}`, "x".repeat(500)]);
    const big = echoTool("big", (text) => ({ text, tables: [{ ...table, rows }] }));
    const { finish, check } = await checked([{ calls: [call("big")] }, { calls: [finishCall("So.")] }], {
      tools: [big],
    });
    expect(check.asked[0]?.evidence.tables).toMatchObject([{ total: 600 }]);
    expect(check.asked[0]?.evidence.tables[0]?.rows).toHaveLength(500);
    const [sent] = finish.response.data?.tables ?? [];
    expect(sent).toMatchObject({ total: 600 });
    expect(JSON.stringify(sent).length).toBeLessThan(200_000);
  });

  it("excludes text that an earlier call of the run wrote, in any order within a round", async () => {
    let deck = "";
    const write = echoTool("write", (text) => {
      deck = text;
      return { text: "Written." };
    });
    const read = echoTool("read", () => ({ text: `The deck of 12 slides says: ${deck}` }));
    const claim = "Margin is 71 %, says Peter Novak.";
    for (const round of [
      [{ calls: [call("write", claim)] }, { calls: [call("read")] }],
      [{ calls: [call("read"), call("write", claim)] }],
    ]) {
      const { check } = await checked([...round, { calls: [finishCall("So.")] }], { tools: [read, write] });
      const given = check.asked[0]?.evidence.given.join("\n") ?? "";
      expect(given).toContain("12 slides");
      expect(given).not.toMatch(/71|Novak|Margin/);
    }
  });

  it("excludes from titles and columns what the run wrote and the rows do not hold", async () => {
    const sql =
      'SELECT region, r AS "Revenue 18.7 million, says Peter Novak", s AS "Sales (EUR million)", t AS sales_2024, "2023", u AS sales_2022 FROM d WHERE year = 2024';
    const columns = [
      "region",
      "Revenue 18.7 million, says Peter Novak",
      "Sales (EUR million)",
      "sales_2024",
      "2023",
      "sales_2022",
    ];
    const rows = [["North", 4.5, 2, 3, 1, 1]];
    const asks = echoTool("query", (text) => ({
      text,
      tables: [{ id: "result-1", columns, rows, query: text }],
    }));
    const draws = echoTool("draw", (text) => ({ text, charts: [{ ...drawn, title: text }] }));
    const title = "Peter Novak: 18.7 million in North, 4.5 before 2031";
    const { check, finish } = await checked(
      [
        { calls: [call("query", sql)] },
        { calls: [call("draw", title)] },
        { calls: [finishCall("So [chart-1].")] },
      ],
      { tools: [asks, draws] },
    );
    const heads = (evidence: AnswerEvidence | undefined) =>
      evidence?.tables.map((one) => [one.title, ...one.columns].join(" | ").replaceAll(/\s+/g, " "));
    const [asked, shown] = heads(check.asked[0]?.evidence) ?? [];
    expect(asked).toBe(" | region | million, | (EUR million) | sales_2024 | 2023 | sales_ ");
    expect(shown).toBe(" : million in , 4.5 | n");
    // What people see keeps its names.
    expect(finish.response.data?.tables?.[0]?.columns).toEqual(columns);
    expect(finish.response.data?.charts?.[0]?.title).toBe(title);
    const { data } = finish.response;
    const later = await checked([{ calls: [finishCall("So.")] }], { request: delegated({ data }) });
    expect(heads(later.check.asked[0]?.evidence)).toEqual([asked, shown]);
  });

  it("is the whole answer of a step without evidence, and of a checked one what holds", async () => {
    const said = { calls: [finishCall("Tideline offered 2.4.")] };
    const say = [said, said];
    const foreign = await checked(say.slice(0, 1), { request: delegated({}) });
    expect(foreign.finish.outcome).toBe("completed");
    const checks = [
      { sentence: "Tideline offered.", status: "verified" as const },
      {
        sentence: "Sales were 2.4 million.",
        status: "finding" as const,
        finding: { kind: "uncited" as const, detail: "" },
      },
    ];
    const partly = await checked(say, { request: delegated({ checks }) });
    expect(partly.finish.outcome).toBe("partial");
    expect(partly.check.asked[0]?.evidence.given).toContain("Tideline offered.");
    const cited = await checked(say, { request: delegated({ citations: [passage] }) });
    expect(cited.finish.outcome).toBe("partial");
    expect(cited.check.asked[0]?.evidence.citations).toMatchObject([{ id: "a", chunkId: "k" }]);
  });

  it("has charts of earlier steps, shown by their plain id; one that no step has is a finding", async () => {
    const request = delegated({ data: { charts: [drawn] } });
    const { finish } = await checked([{ calls: [finishCall("North has 4.5 [other/chart-2].")], split: 4 }], {
      request,
    });
    expect(finish).toMatchObject({
      outcome: "completed",
      response: { content: "North has 4.5 [chart-2].", data: { charts: [drawn] } },
    });
    const unknown = { calls: [finishCall("North has 4.5 [other/chart-3].")] };
    const { finish: partial } = await checked([unknown, unknown], { request });
    expect(partial).toMatchObject({ outcome: "partial", response: { content: "North has 4.5." } });
    expect(partial.error?.message).toContain("other/chart-3");
  });

  it("numbers the tables that an answer cites together with its passages", async () => {
    const search = echoTool("search", (text) => ({ text, citations: [passage] }));
    const { finish, check } = await checked(
      [
        { calls: [call("search"), call("query")] },
        {
          calls: [finishCall("It says q [1]. North has 4.5 [result-1], North leads [1, result-1].")],
          split: 3,
        },
      ],
      { tools: [search, query] },
    );
    expect(finish).toMatchObject({
      outcome: "completed",
      response: {
        content: "It says q [1]. North has 4.5 [2], North leads [1, 2].",
        citations: [{ id: "1" }],
        data: { tables: [{ ...table, number: "2" }] },
      },
    });
    expect(check.asked[0]?.evidence.tables).toMatchObject([{ id: "result-1", number: "2" }]);
  });

  it.each(["other/result-1", "other/3", "3", "result-1"])(
    "knows a table of an earlier step as [%s], under its number there",
    async (mark) => {
      const cited = { ...table, number: "3" };
      const { finish, check } = await checked([{ calls: [finishCall(`North has 4.5 [${mark}].`)] }], {
        request: delegated({ data: { tables: [cited] } }),
      });
      expect(finish).toMatchObject({
        outcome: "completed",
        response: { content: "North has 4.5 [3].", data: { tables: [cited] } },
      });
      expect(check.asked[0]?.evidence.tables).toEqual([cited]);
    },
  );

  it("removes a number that is ambiguous between a passage of one step and a table of another", async () => {
    const cited = { ...table, number: "1" };
    const of = (more: Partial<StepResult>): StepResult | undefined => results(more)["other"];
    const [data, research] = [
      of({ data: { tables: [cited] } }),
      of({ citations: [{ ...passage, id: "1" }] }),
    ];
    const request = delegated({});
    const { delegation } = request;
    if (data === undefined || research === undefined || delegation === undefined)
      throw new TypeError("no step");
    const both = { ...delegation, results: { data, research: { ...research, stepId: "research" } } };
    const say = { calls: [finishCall("North has 4.5 [1]. It says q [research/1]. North leads [data/1].")] };
    const { finish } = await checked([say, say], { request: { ...request, delegation: both } });
    expect(finish).toMatchObject({
      outcome: "partial",
      response: {
        content: "North has 4.5. It says q [2]. North leads [3].",
        data: { tables: [{ number: "3" }] },
      },
    });
  });
});
