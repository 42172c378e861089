import { defineTool, silentLog, type Tool, type ToolContext, type ToolSource } from "@troupe/core";
import { fakeToolSource } from "@troupe/core/testing";
import type { ReviewSentences } from "@troupe/service/agent";
import { NO_USAGE, type Json, type SentenceCheck } from "@troupe/stream";
import { expect, it } from "vitest";
import { z } from "zod";

import { reviewPresentations } from "./review-presentations.ts";

const context: ToolContext = {
  runId: "r",
  callId: "c",
  agent: "ppt-agent",
  signal: new AbortController().signal,
  shared: { v: 1, results: {} },
  log: silentLog,
};
const USAGE = { model: "m", usage: { ...NO_USAGE, inputTokens: 7 } };
const PASSAGES = [
  { document: "Plan", text: "The pilot was not extended." },
  { document: "Minutes", text: "Ten pilots run." },
];

/** A presentation server with these statements; `saved` has the arguments of each saving. */
function server(statements: readonly { slide: number; place: string; text: string; passages?: number[] }[]) {
  const saved: Json[] = [];
  const listing = defineTool({
    name: "powerpoint_list_statements",
    description: "Lists.",
    input: z.strictObject({ presentation_id: z.string() }),
    execute: () => {
      const cited = statements.map((one) => ({ passages: [0], ...one }));
      return Promise.resolve({ text: "", data: { statements: cited, passages: PASSAGES } });
    },
  });
  const save = defineTool({
    name: "powerpoint_save_presentation",
    description: "Saves.",
    input: z.strictObject({
      presentation_id: z.string(),
      reviewed: z.array(z.unknown()).exactOptional(),
      known: z.unknown().exactOptional(),
    }),
    execute: (args) => {
      saved.push(args as Json);
      return Promise.resolve({ text: "Saved." });
    },
  });
  return { source: fakeToolSource("ppt-mcp", [listing, save]), saved };
}

/** Finds what says that the pilot was extended; `asked` has the sentences of each call. */
function reviewer() {
  const asked: string[][] = [];
  const review: ReviewSentences = (checks) => {
    asked.push(checks.map(({ sentence }) => sentence));
    const reviewed = checks.map((one): SentenceCheck =>
      one.sentence.includes("was extended")
        ? { ...one, status: "finding", finding: { kind: "contradicted", detail: "not extended" } }
        : one,
    );
    return Promise.resolve({ checks: reviewed, usage: [USAGE] });
  };
  return { review, asked };
}

async function toolsOf(source: ToolSource): Promise<readonly Tool[]> {
  return source.list({ signal: new AbortController().signal });
}

const extended = { slide: 2, place: "point 1", text: "The pilot was extended" };
const args = { presentation_id: "p" };

it("saves with what the review found, and asks once about each statement", async () => {
  const statements = [extended];
  const { source, saved } = server(statements);
  const { review, asked } = reviewer();
  const [save] = await toolsOf(reviewPresentations(source, { review }));
  const output = await save?.execute(args, context);
  expect(output).toMatchObject({ text: "Saved.", usage: [USAGE] });
  const finding = { slide: 2, place: "point 1", kind: "contradicted", words: "not extended" };
  expect(saved).toEqual([{ ...args, reviewed: [finding] }]);
  statements.push({ slide: 3, place: "title", text: "Ten pilots run" });
  await save?.execute(args, context);
  expect(saved.at(-1)).toEqual({ ...args, reviewed: [finding] });
  statements.splice(0, 1);
  await save?.execute(args, context);
  expect(saved.at(-1)).toEqual(args);
  expect(asked).toEqual([["The pilot was extended [1]"], ["Ten pilots run [1]"]]);
});

it("reviews a statement again after its slide gets another source only if it had a finding", async () => {
  const held = { slide: 3, place: "title", text: "Ten pilots run" };
  const statements: { slide: number; place: string; text: string; passages?: number[] }[] = [extended, held];
  const { source } = server(statements);
  const { review, asked } = reviewer();
  const [save] = await toolsOf(reviewPresentations(source, { review }));
  await save?.execute(args, context);
  statements.splice(0, 2, { ...extended, passages: [1, 0] }, { ...held, passages: [1, 0] });
  await save?.execute(args, context);
  expect(asked.at(-1)).toEqual(["The pilot was extended [2][1]"]);
  // Without the passage that proved it, it is asked about again.
  statements.splice(0, 2, { ...held, passages: [1] });
  await save?.execute(args, context);
  expect(asked.at(-1)).toEqual(["Ten pilots run [2]"]);
});

it("has statements about a chart reviewed against its rows", async () => {
  const chart = { title: "Growth", columns: ["region", "growth"], rows: [["North America", 4]] };
  const listing = defineTool({
    name: "powerpoint_list_statements",
    description: "Lists.",
    input: z.strictObject({ presentation_id: z.string() }),
    execute: () => {
      const statements = [
        { slide: 2, place: "title", text: "North America grew fastest", passages: [], charts: [0] },
        { slide: 2, place: "statement in more 1", text: "The pilot ended", passages: [0], charts: [] },
      ];
      return Promise.resolve({ text: "", data: { statements, passages: PASSAGES, charts: [chart] } });
    },
  });
  const { source } = server([]);
  const [, save] = await toolsOf(source);
  const seen: unknown[] = [];
  const review: ReviewSentences = (checks, evidence) => {
    seen.push(
      checks.map(({ sentence }) => sentence),
      evidence.tables,
    );
    return Promise.resolve({ checks, usage: [] });
  };
  const both = fakeToolSource("ppt-mcp", save === undefined ? [listing] : [listing, save]);
  const [saving] = await toolsOf(reviewPresentations(both, { review }));
  await saving?.execute(args, context);
  expect(seen).toEqual([
    ["North America grew fastest [chart-1]", "The pilot ended [1]"],
    [{ id: "chart-1", ...chart }],
  ]);
});

it("saves as it is without a review, and where the review fails", async () => {
  for (const options of [{}, { review: () => Promise.reject(new Error("no model")) }]) {
    const { source, saved } = server([extended]);
    const [save, ...others] = await toolsOf(reviewPresentations(source, options));
    expect(others).toEqual([]);
    await save?.execute(args, context);
    expect(saved).toEqual([args]);
  }
});

it("saves with what the person wrote and what tools and steps found, where it has figures", async () => {
  const { source, saved } = server([]);
  const [save] = await toolsOf(reviewPresentations(source, {}));
  const found = { id: "1", source: "s", collection: "c", chunkId: "k", quote: "84", start: 0, end: 1 };
  const table = { id: "t", columns: ["n"], rows: [[7]] };
  const evidence = () => ({
    given: ["Revenue was EUR 84 million.", "Be brief."],
    citations: [{ ...found, document: "Plan", passage: "Ten pilots run in 2025." }],
    tables: [table],
  });
  await save?.execute(args, { ...context, evidence });
  const given = ["Revenue was EUR 84 million.", "Plan\n\nTen pilots run in 2025."];
  expect(saved).toEqual([{ ...args, known: { given, tables: [table] } }]);
});

it("shows the model neither the list of statements nor the argument for findings", async () => {
  const { source } = server([]);
  const tools = await toolsOf(reviewPresentations(source, reviewer()));
  expect(tools.map(({ definition }) => definition.name)).toEqual(["powerpoint_save_presentation"]);
  expect(JSON.stringify(tools[0]?.definition.inputSchema)).not.toMatch(/reviewed|known/);
});
