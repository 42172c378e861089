import { describe, expect, it } from "vitest";
import { z } from "zod";

import { silentLog } from "../ports/log.ts";
import type { Tool, ToolContext } from "../ports/tool.ts";
import { chartSpecSchema, citationSchema } from "../schemas/response.ts";
import { echoTool, fakeToolSource } from "../testing/tools.ts";
import { acceptReferences, REFERENCE_KEY } from "./accept-references.ts";
import { defineTool } from "./define-tool.ts";

const chart = {
  v: 1 as const,
  id: "chart-1",
  kind: "bar" as const,
  title: "Sales",
  series: [{ field: "n", label: "n", type: "number" as const }],
  rows: [{ n: 7 }],
  provenance: { resultId: "r", query: "select 1", source: "s.csv" },
};
const citation = {
  id: "1",
  document: "d",
  source: "d.md",
  collection: "c",
  chunkId: "k",
  quote: "q",
  start: 0,
  end: 1,
};

const draw = defineTool({
  name: "draw",
  description: "Draws.",
  input: z.strictObject({
    title: z.string(),
    chart: chartSpecSchema.meta({ [REFERENCE_KEY]: "chart" }).optional(),
    sources: z.array(citationSchema.meta({ [REFERENCE_KEY]: "citation" })).default([]),
  }),
  execute: async ({ chart: drawn, sources }) => ({
    text: `${drawn?.rows.length} rows of ${drawn?.title}, from ${sources.map((source) => source.document).join()}`,
  }),
});

const context: ToolContext = {
  runId: "r",
  callId: "c",
  agent: "a",
  signal: new AbortController().signal,
  log: silentLog,
  shared: {
    v: 1,
    results: {
      data: {
        stepId: "data",
        agent: "a",
        outcome: "completed",
        answer: "",
        data: { charts: [chart] },
        // Who found it is no part of what a tool takes.
        citations: [{ ...citation, foundBy: { step: "research", agent: "rag", at: 1 } }],
        artifacts: [],
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
        provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
      },
    },
  },
};

const tell = defineTool({
  name: "tell",
  description: "Tells what it is handed.",
  input: z.strictObject({ source: z.looseObject({}).meta({ [REFERENCE_KEY]: "citation" }) }),
  execute: async ({ source }) => ({ text: JSON.stringify(source) }),
});

async function wrapped(tool: Tool): Promise<Tool> {
  const [first] = await acceptReferences(fakeToolSource("s", [tool])).list({ signal: context.signal });
  return first ?? tool;
}

async function callWith(args: Parameters<Tool["parse"]>[0], called: Tool = draw) {
  const tool = await wrapped(called);
  const parsed = tool.parse(args);
  return parsed.ok ? tool.execute(parsed.value, context) : { text: parsed.issues.join(), isError: true };
}

describe("acceptReferences", () => {
  it("shows the model a reference beside the thing itself", async () => {
    const { inputSchema } = (await wrapped(draw)).definition;
    expect(inputSchema).toMatchObject({
      properties: {
        chart: { anyOf: [{ type: "string" }, { type: "object" }] },
        sources: { items: { type: "string", description: "citation of a step, as step/id" } },
      },
    });
    expect(JSON.stringify(inputSchema)).not.toContain(REFERENCE_KEY);
  });

  it.each([
    ["step/id", "data/chart-1", "data/1"],
    ["the id alone", "chart-1", "1"],
    ["the mark of an answer", "[data/chart-1]", "[1]"],
    ["an object", { step: "data", id: "chart-1" }, { step: "data", id: "1" }],
  ])("hands the tool what was named by %s", async (_, named, source) => {
    const args = { title: "t", chart: named, sources: [source] };
    expect(await callWith(args)).toEqual({ text: "1 rows of Sales, from d" });
  });

  it("hands over nothing beside what was found", async () => {
    const told = await callWith({ source: { step: "data", id: "1" } }, tell);
    expect(told.text).toBe(JSON.stringify(citation));
  });

  it("refuses a chart or a citation that nobody found", async () => {
    const forged = { ...chart, rows: [{ n: 8 }] };
    for (const title of ["t", 7]) {
      const output = await callWith({ title, chart: forged, sources: [{ ...citation, quote: "made up" }] });
      expect(output.isError).toBe(true);
    }
    const output = await callWith({
      title: "t",
      chart: forged,
      sources: [
        { step: "data", id: "1" },
        { ...citation, quote: "made up" },
      ],
    });
    expect(output.text).toContain('- chart: the chart "Sales" has numbers that are not in "r": 8.');
    expect(output.text).toContain('- sources.1: no tool found the citation of "d" with these words.');
    const alone = await callWith({ title: "t", chart: forged });
    expect(alone.text).toContain("Pass a chart of a step as step/id.");
  });

  it("takes the thing itself, checked as before", async () => {
    expect(await callWith({ title: "t", chart })).toMatchObject({ text: "1 rows of Sales, from " });
    expect(await callWith({ title: "t", chart: { ...chart, rows: 7 } })).toMatchObject({ isError: true });
  });

  it.each([
    [
      { step: "data", id: "chart-9" },
      'no chart "chart-9" in the result of step "data". There is "data/chart-1"',
    ],
    [{ step: "constructor", id: "chart-1" }, 'step "constructor"'],
  ])("says what there is when %j is not there", async (reference, message) => {
    const output = await callWith({ title: "t", chart: reference });
    expect(output.isError).toBe(true);
    expect(output.text).toContain(message);
  });

  it("checks the other arguments after resolving", async () => {
    const output = await callWith({ title: 7, chart: { step: "data", id: "chart-1" } });
    expect(output).toMatchObject({ isError: true });
    expect(output.text).toContain("title: ");
  });

  it("finds what tools of the same run found by their own ids", async () => {
    const own: ToolContext = {
      ...context,
      shared: { v: 1, results: {} },
      citations: [citation],
      charts: [chart],
    };
    const tool = await wrapped(draw);
    const parsed = tool.parse({ title: "t", chart: "chart-1", sources: ["1"] });
    expect(await tool.execute(parsed.ok ? parsed.value : null, own)).toEqual({
      text: "1 rows of Sales, from d",
    });
  });

  it("refuses an id alone that means two things", async () => {
    const { data } = context.shared.results;
    if (data === undefined) throw new Error("no step");
    const other = { ...data, citations: [{ ...citation, quote: "other" }] };
    const tool = await wrapped(draw);
    const parsed = tool.parse({ title: "t", sources: ["1"] });
    const output = await tool.execute(parsed.ok ? parsed.value : null, {
      ...context,
      shared: { v: 1, results: { data, other } },
    });
    expect(output.text).toContain('sources.0: there is no citation "1" that is clear without its step');
  });

  it("puts shared definitions of a schema in their places", async () => {
    const source = citationSchema.meta({ id: "shared-citation", [REFERENCE_KEY]: "citation" });
    const cite = defineTool({
      name: "cite",
      description: "Cites.",
      input: z.strictObject({ first: source, rest: z.array(source) }),
      execute: async ({ first, rest }) => ({ text: [first, ...rest].map(({ quote }) => quote).join() }),
    });
    expect(JSON.stringify(cite.definition.inputSchema)).toContain("$ref");
    const shown = (await wrapped(cite)).definition.inputSchema;
    expect(JSON.stringify(shown)).not.toContain("$");
    expect(await callWith({ first: "data/1", rest: ["1"] }, cite)).toEqual({ text: "q,q" });
  });

  it("hands over a query result with its provenance where figures are asked for", async () => {
    const tables = [{ id: "result-1", columns: ["n"], rows: [[7]], query: "select 7", source: "s.csv" }];
    const { data } = context.shared.results;
    if (data === undefined) throw new Error("no step");
    const state = defineTool({
      name: "state",
      description: "States.",
      input: z.strictObject({ data: z.looseObject({}).meta({ [REFERENCE_KEY]: "result" }) }),
      execute: async ({ data: named }) => ({ text: JSON.stringify(named) }),
    });
    const tool = await wrapped(state);
    const parsed = tool.parse({ data: "data/result-1" });
    const output = await tool.execute(parsed.ok ? parsed.value : null, {
      ...context,
      shared: { v: 1, results: { data: { ...data, data: { tables } } } },
    });
    expect(JSON.parse(output.text)).toEqual({
      ...tables[0],
      provenance: { resultId: "result-1", query: "select 7", source: "s.csv" },
    });
  });

  it("keeps the order and the approval that the tool asks for", async () => {
    expect(await wrapped({ ...draw, ordered: true, needsApproval: true })).toMatchObject({
      ordered: true,
      needsApproval: true,
    });
  });

  it("leaves a tool without references as it is, and closes its source", async () => {
    const plain = echoTool();
    expect(await wrapped(plain)).toBe(plain);
    await expect(acceptReferences(fakeToolSource("s", [])).close()).resolves.toBeUndefined();
  });
});
