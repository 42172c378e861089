import { acceptReferences, silentLog, type ToolContext, type ToolOutput } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import type { Citation, Json } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import type { Sources } from "../sources/sources.ts";
import { visualize } from "./visualize.ts";

const passage = "| Year | Budget (EUR million) |\n| --- | --- |\n| 2024 | 1.2 |\n| 2025 | 4.25 |";
const citation: Citation = {
  id: "3",
  document: "Strategy",
  source: "strategy.md",
  collection: "docs",
  chunkId: "c",
  quote: "| 2024 | 1.2 |",
  passage,
  start: 10,
  end: 24,
};
const context: ToolContext = {
  runId: "r",
  callId: "c",
  agent: "data",
  signal: new AbortController().signal,
  shared: {
    v: 1,
    results: {
      research: {
        stepId: "research",
        agent: "rag-agent",
        outcome: "completed",
        answer: "",
        data: null,
        citations: [citation],
        artifacts: [],
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
        provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
      },
    },
  },
  log: silentLog,
};

const none: Pick<Sources, "findResult"> = { findResult: () => Promise.resolve(undefined) };
const tool = visualize(none as Sources, () => "1", memoryArtifactStore());

/** As data-agent calls it. */
async function call(args: Json): Promise<ToolOutput> {
  const source = { name: "data-mcp", list: () => Promise.resolve([tool]), close: () => Promise.resolve() };
  const [accepting] = await acceptReferences(source).list({ signal: context.signal });
  const parsed = accepting?.parse(args);
  if (accepting === undefined || parsed?.ok !== true) throw new Error(JSON.stringify(parsed));
  return accepting.execute(parsed.value, context);
}

const rows = [
  ["2024", "1.2"],
  ["2025", "4.25"],
];
const table = (cited: object, own: Json = rows): Json => ({
  table: { citation: { ...cited }, columns: ["Year", "Budget (EUR million)"], rows: own },
});

describe("a chart of a table in a cited passage", () => {
  it("has the citation as its provenance, and the numbers that are in the passage", async () => {
    const { charts, text } = await call(table({ step: "research", id: "3" }));
    expect(charts?.[0]).toMatchObject({
      title: "Budget by year",
      series: [{ unit: "EUR million" }],
      rows: [
        { x: "2024", y1: 1.2 },
        { x: "2025", y1: 4.25 },
      ],
      provenance: { resultId: "3", query: "", source: "Strategy" },
    });
    expect(text).toContain("2025 | 4.25");
  });

  it("is refused with a number that is not in the passage", async () => {
    const forged = [...rows, ["2026", "9"]];
    await expect(call(table({ step: "research", id: "3" }, forged))).rejects.toThrow(
      'table.rows: "row 3 (2026 | 9)" is not in one line of the passage [3] of "Strategy"',
    );
  });

  it("is refused with a citation that no step found, whole or in part", async () => {
    const written = { ...citation, passage: "| Year | Budget (EUR million) |\n| 2024 | 99 |" };
    await expect(call(table(written, [["2024", "99"]]))).rejects.toThrow("row 1 (2024 | 99)");
    const other = { ...written, quote: "| 2024 | 99 |" };
    expect((await call(table(other, [["2024", "99"]]))).text).toContain("no tool found the citation");
    const { id, document, quote } = other;
    await expect(call(table({ id, document, quote }, [["2024", "99"]]))).rejects.toThrow(
      "table.citation: give a citation of a step before as step/id",
    );
    expect((await call(table({ step: "research", id: "4" }))).text).toContain('"research/3"');
  });
});

it("takes a result or a table, not both and not none", () => {
  expect(tool.parse({ kind: "bar" })).toEqual({
    ok: false,
    issues: [
      'result_id: give the id that query_db returned, such as result_id: "result-1a2b3c4d5e6f", or a table, not both.',
    ],
  });
});
