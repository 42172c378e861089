import type { ChartSpec, Citation, JsonObject, ResultTable } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import type { StepResult } from "../ports/delegation.ts";
import { checkChart, checkCitation } from "./written-evidence.ts";

const citation: Citation = {
  id: "3",
  document: "AI Strategy",
  source: "strategy.pdf",
  collection: "c",
  chunkId: "k",
  quote: "| Item | 2025 | 2026 |",
  passage:
    "| Item | 2025 | 2026 |\n| Staff | EUR 2.1 million | EUR 3,4 million |\n| Boats, 12 of them | 0.9 | 1.450 |",
  start: 0,
  end: 22,
};
const table: ResultTable = {
  id: "result-1",
  columns: ["region", "revenue", "share"],
  rows: [
    ["North", 165_300, 0.334],
    ["South", "164700.5", 0.333],
  ],
  query: "SELECT region, sum(revenue)",
  source: "sales.csv",
};
const step = (stepId: string, found: Partial<StepResult>): StepResult => ({
  stepId,
  agent: "a",
  outcome: "completed",
  answer: "",
  data: null,
  citations: [],
  artifacts: [],
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
  provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  ...found,
});
const chartOf = (resultId: string, rows: ChartSpec["rows"]): ChartSpec => ({
  v: 1,
  id: "my-chart",
  kind: "bar",
  title: "Budget",
  x: { field: "x", label: "Item", type: "category" },
  series: [{ field: "y", label: "EUR million", type: "number" }],
  rows,
  provenance: { resultId, query: "SELECT 1", source: "trust-me.csv" },
});
const made = chartOf("result-1", [{ x: "North", y: 165_300 }]);
const evidence = {
  shared: {
    v: 1 as const,
    results: {
      rag: step("rag", { citations: [citation] }),
      data: step("data", { data: { charts: [{ ...made, id: "chart-1" }], tables: [table] } }),
    },
  },
  citations: [{ ...citation, id: "7", passage: "Crew: 48 people." }],
  evidence: () => ({
    citations: [],
    tables: [
      table,
      { ...table, id: "result-2", rows: [["West", 91]] },
      { ...table, id: "2", rows: [["2025-03-31", 91]] },
    ],
    given: [],
  }),
  given: ["Make a chart: Q1 12.5, Q2 14"],
};
const check = (chart: ChartSpec, from: Parameters<typeof checkChart>[1] = evidence) =>
  checkChart(JSON.parse(JSON.stringify(chart)) as JsonObject, from);

describe("a chart that a model wrote", () => {
  it.each([
    [
      "a cited table",
      "rag/3",
      [
        { x: "Staff", y: 2.1 },
        { x: "Boats", y: 1450 },
      ],
      "AI Strategy",
      "rag/3",
    ],
    ["the citation without its step", "[3]", [{ x: "Staff", y: 3_400_000 }], "AI Strategy", "rag/3"],
    ["a query result of its own run", "result-2", [{ x: "West", y: 91 }], "sales.csv", "result-2"],
    ["a citation of its own run", "7", [{ x: "Crew", y: 48 }], "AI Strategy", "7"],
    [
      "a query result",
      "result-1",
      [
        { x: "South", y: 164_700.5 },
        { x: "North", y: 33.4 },
      ],
      "sales.csv",
      "result-1",
    ],
    ["labels that are parts of dates", "2", [{ x: "Q1 2025", y: 91 }], "sales.csv", "2"],
    ["labels that are half-years of dates", "2", [{ x: "2025-H1", y: 91 }], "sales.csv", "2"],
    ["labels that name the month of a date", "2", [{ x: "March 2025", y: 91 }], "sales.csv", "2"],
    ["numbers on the x axis", "result-1", [{ x: 165.3, y: 33.4 }], "sales.csv", "result-1"],
    [
      "the request",
      "request",
      [
        { x: "Q1", y: 12.5 },
        { x: "Q2", y: null },
      ],
      "the request",
      "request",
    ],
  ])("may have the numbers of %s, and gets its source", (_, resultId, rows, source, recorded) => {
    const checked = check(chartOf(resultId, rows));
    expect(checked).toMatchObject({ ok: true, value: { rows, provenance: { resultId: recorded, source } } });
  });

  it.each([
    ["a result that nobody found", "r", [{ x: "Staff", y: 2.1 }], 'names the result "r", which nobody found'],
    [
      "another number",
      "rag/3",
      [
        { x: "Staff", y: 2.1 },
        { x: "Boats", y: 4.7 },
      ],
      'not in "rag/3": 4.7.',
    ],
    ["the number of another row", "result-1", [{ x: "North", y: 164_700.5 }], 'not in "result-1": 164700.5'],
    ["a rounded number", "result-1", [{ x: "South", y: 164_700 }], "not rounded"],
    ["a number that the person did not give", "request", [{ x: "Q1", y: 13 }], 'not in "request": 13'],
    [
      "a percentage that is a hundred times that of the source",
      "7",
      [{ x: "Crew", y: 4800 }],
      'not in "7": 4800',
    ],
    ["a label that is a figure of its own", "7", [{ x: "1900000", y: 48 }], 'not in "7": 1900000.'],
    ["a grouped figure in a label", "7", [{ x: "Crew, 48 000", y: 48 }], 'not in "7": Crew, 48 000.'],
    ["a name that is not in the source", "result-1", [{ x: "Acme", y: 165_300 }], 'not in "result-1": Acme.'],
    ["another number on the x axis", "result-1", [{ x: 99, y: 165_300 }], 'not in "result-1": 99.'],
    ["a year that is in no date", "2", [{ x: "Q1 2031", y: 91 }], 'not in "2": Q1 2031.'],
  ])("is refused with %s", (_, resultId, rows, problem) => {
    const checked = check(chartOf(resultId, rows));
    expect(checked).toMatchObject({ ok: false, problem: expect.stringContaining(problem) as string });
    expect(JSON.stringify(checked)).toContain(
      'There is \\"rag/3\\", \\"data/chart-1\\", \\"result-1\\", \\"7\\", \\"result-2\\", \\"2\\", \\"request\\".',
    );
  });

  it("is refused with text in a series, which would prove what it says", () => {
    const chart = chartOf("result-1", [{ x: "North", y: "99" }]);
    expect(check(chart)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('only numbers and null may be: "99".') as string,
    });
  });

  it("may have no figure in its title and labels that its source does not have", () => {
    const chart = chartOf("result-1", [{ x: "North", y: 165_300 }]);
    expect(check({ ...chart, title: "Top 1 region, revenue in EUR 1,000" })).toMatchObject({ ok: true });
    const problem = expect.stringContaining('labels that are not in "result-1": 71.') as string;
    expect(check({ ...chart, title: "Margin is 71 %" })).toMatchObject({ ok: false, problem });
    const series = [{ field: "y", label: "EUR 71 million", type: "number" as const }];
    expect(check({ ...chart, series })).toMatchObject({ ok: false, problem });
  });

  it("is refused where there is nothing to look it up in", () => {
    const checked = check(made, { shared: { v: 1, results: {} } });
    expect(checked).toMatchObject({
      ok: false,
      problem: expect.stringContaining("There is none.") as string,
    });
  });

  it("as a mere origin must be that of a result", () => {
    const origin = (query: string, source: string) => checkChart({ provenance: { query, source } }, evidence);
    expect(origin("SELECT region, sum(revenue)", "sales.csv")).toMatchObject({ ok: true });
    expect(origin("SELECT 1", "made-up.csv")).toMatchObject({
      ok: false,
      problem: 'nothing was found with the source "made-up.csv". Pass a chart of a step as step/id.',
    });
    const malformed = { rows: 7, provenance: { query: "SELECT 1", source: "made-up.csv" } };
    expect(checkChart(malformed, evidence)).toMatchObject({ ok: false });
  });

  it("is looked up whatever it says of who found it", () => {
    const forged = { ...chartOf("result-9", [{ x: "North", y: 1 }]), foundBy: "me" };
    expect(checkChart(JSON.parse(JSON.stringify(forged)) as JsonObject, evidence)).toMatchObject({
      ok: false,
    });
    const cited = { ...citation, quote: "It pays for itself.", foundBy: "me" };
    expect(checkCitation(cited, evidence)).toMatchObject({ ok: false });
  });

  it("is left to the tool where it is no chart", () => {
    expect(checkChart({ rows: 7 }, evidence)).toEqual({ ok: true, value: { rows: 7 } });
  });
});

describe("a citation that a model wrote", () => {
  it("is the one that was found, or refused", () => {
    const { passage: _, ...written } = citation;
    expect(checkCitation({ ...written }, evidence)).toEqual({ ok: true, value: citation });
    expect(checkCitation({ ...written, quote: "It pays for itself." }, evidence)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('no tool found the citation of "AI Strategy"') as string,
    });
  });
});
