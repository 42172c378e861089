import type { ChartSpec, Citation, ResultTable } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { StepResult } from "../ports/delegation.ts";
import { delegationSchema } from "../schemas/delegation.ts";
import { boundResults, RESULT_BOUNDS, type ResultBounds } from "./bound-results.ts";
import { delegationPrompt } from "./delegation-prompt.ts";

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const citation = (id: string, quote = "q"): Citation => ({
  id,
  document: "Plan",
  source: "plan.md",
  collection: "c",
  chunkId: `k${id}`,
  quote,
  start: 0,
  end: 1,
});

const chart = (id: string, rows: number): ChartSpec => ({
  v: 1,
  id,
  kind: "bar",
  title: "t",
  series: [{ field: "n", label: "N", type: "number" }],
  rows: Array.from({ length: rows }, (_, n) => ({ n, name: "x".repeat(50) })),
  provenance: { resultId: "r", query: "q", source: "s" },
});

const table = (id: string, rows: number): ResultTable => ({
  id,
  columns: ["name"],
  rows: Array.from({ length: rows }, () => ["x".repeat(30)]),
});

function result(stepId: string, answer: string, more: Partial<StepResult> = {}): StepResult {
  return {
    stepId,
    agent: "rag-agent",
    outcome: "completed",
    answer,
    data: null,
    citations: [],
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
    ...more,
  };
}

const named = (results: readonly StepResult[]) => Object.fromEntries(results.map((one) => [one.stepId, one]));
const delegationOf = (results: { readonly [name: string]: StepResult }) =>
  delegationSchema.parse({
    v: 1,
    objective: "Make a deck.",
    instruction: "Draw it.",
    expectedOutput: "",
    allowedTools: [],
    limits: {},
    results,
  });

/** Small enough to be met by what a property makes. */
const SMALL: ResultBounds = {
  answerChars: 200,
  oneAnswerChars: 120,
  citationBytes: 900,
  chartBytes: 700,
  tableBytes: 400,
  dataBytes: 120,
  fileBytes: 400,
};

const anyResult = fc.record({
  answer: fc.string({ unit: "grapheme", maxLength: 200 }),
  citations: fc.array(fc.string({ maxLength: 60 }), { maxLength: 8 }),
  rows: fc.array(fc.nat(6), { maxLength: 3 }),
  data: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
  files: fc.nat(4),
});
const anyResults = fc.array(anyResult, { maxLength: 6 }).map((all) =>
  named(
    all.map(({ answer, citations, rows, data, files }, i) =>
      result(`s${i}`, answer, {
        citations: citations.map((quote, n) => citation(`${n + 1}`, quote)),
        data: {
          ...data,
          charts: rows.map((count, n) => chart(`chart-${n + 1}`, count)),
          tables: rows.map((count, n) => table(`result-${n + 1}`, count)),
        },
        artifacts: Array.from({ length: files }, (_, n) => ({
          id: `f${n}`,
          name: "a.txt",
          mediaType: "text/plain",
          bytes: 1,
          sha256: "0".repeat(64),
          url: "u",
        })),
      }),
    ),
  ),
);

describe("boundResults", () => {
  it("keeps within every bound, says what is not all there, and stays as it is when bounded again", () => {
    fc.assert(
      fc.property(anyResults, (results) => {
        const { results: bounded, leftOut } = boundResults(results, SMALL);
        const all = Object.values(bounded);
        const total = (size: (one: StepResult) => number) => all.reduce((sum, one) => sum + size(one), 0);
        expect(total((one) => one.answer.length)).toBeLessThanOrEqual(SMALL.answerChars);
        // An empty list is two brackets, of which no share was asked.
        expect(total((one) => (one.citations.length === 0 ? 0 : bytes(one.citations)))).toBeLessThanOrEqual(
          SMALL.citationBytes,
        );
        expect(
          total((one) => ((one.data?.charts ?? []).length === 0 ? 0 : bytes(one.data?.charts))),
        ).toBeLessThanOrEqual(SMALL.chartBytes);
        expect(
          total((one) => ((one.data?.tables ?? []).length === 0 ? 0 : bytes(one.data?.tables))),
        ).toBeLessThanOrEqual(SMALL.tableBytes);
        for (const [name, one] of Object.entries(bounded)) {
          const whole = results[name];
          expect(whole?.answer.startsWith(one.answer)).toBe(true);
          const same = JSON.stringify(one) === JSON.stringify(whole);
          expect([one.abridged === undefined, leftOut.has(name)]).toEqual([same, !same]);
          expect(leftOut.get(name)?.answer).toBe(one.answer === whole?.answer ? undefined : whole?.answer);
        }
        expect(boundResults(bounded, SMALL)).toEqual({ results: bounded, leftOut: new Map() });
        expect(boundResults(results, SMALL).results).toEqual(bounded);
      }),
    );
  });

  it("makes no large message and no large prompt of twenty answers of a megabyte each", () => {
    const sentence = "The board decided to build on what was found in the year before [7]. ";
    const long = sentence.repeat(Math.ceil(1_000_000 / sentence.length));
    const quotes = Array.from({ length: 300 }, (_, n) => citation(`${n + 1}`, "q".repeat(1_000)));
    const results = named([
      result("small", "It is four."),
      ...Array.from({ length: 20 }, (_, n) =>
        result(`s${n}`, long, {
          citations: quotes,
          data: {
            charts: [chart("chart-1", 500), chart("chart-2", 500)],
            rows_of_query: "x".repeat(500_000),
          },
        }),
      ),
    ]);
    expect(bytes(results)).toBeGreaterThan(20_000_000);
    const { results: bounded } = boundResults(results);
    expect(bytes(delegationOf(bounded))).toBeLessThan(2_500_000);
    expect(bounded["small"]).toEqual(results["small"]);
    expect(bounded["s3"]?.answer).toMatch(/before \[7\]\.$/);
    expect(bounded["s3"]?.answer.length).toBeGreaterThan(0.8 * (RESULT_BOUNDS.answerChars / 21));
    expect(
      bounded["s3"]?.citations[0]?.id === "7" || bounded["s3"]?.citations.some(({ id }) => id === "7"),
    ).toBe(true);
    expect(bounded["s3"]?.abridged).toMatchObject({
      answerChars: long.length,
      citations: 300,
      charts: 2,
      data: ["rows_of_query"],
    });
    // A receiver bounds its prompt itself, whatever it was sent.
    for (const given of [results, bounded]) {
      const prompt = delegationPrompt(delegationOf(given));
      expect(prompt.length).toBeLessThan(RESULT_BOUNDS.answerChars * 1.15);
      expect(prompt).toContain(`of ${long.length} characters, read_result reads on`);
    }
  });

  it("keeps what the answer still names before the rest, in the order they had", () => {
    const citations = Array.from({ length: 8 }, (_, n) => citation(`${n + 1}`, "q".repeat(100)));
    const { results } = boundResults(named([result("a", "As [6] and [2] say.", { citations })]), SMALL);
    const kept = results["a"]?.citations.map(({ id }) => id) ?? [];
    expect(kept).toEqual(expect.arrayContaining(["2", "6"]));
    expect(kept).toEqual(kept.toSorted());
    expect(results["a"]?.abridged).toEqual({ citations: 8 });
  });

  it("keeps the checks of what is left of the answer, and says how many tables there were", () => {
    const answer = `${"So it is. ".repeat(20)}At the end.`;
    const checks = ["So it is.", "At the end."].map((sentence) => ({
      sentence,
      status: "verified" as const,
    }));
    const data = { tables: [table("result-1", 5), table("result-2", 500)] };
    const { results } = boundResults(named([result("a", answer, { checks, data })]), SMALL);
    expect(results["a"]).toMatchObject({
      checks: [{ sentence: "So it is." }],
      data: { tables: [{ id: "result-1" }] },
      abridged: { tables: 2 },
    });
  });

  it("says of what was cut before how much there was at first", () => {
    const once = boundResults(named([result("a", "word ".repeat(100))]), SMALL).results["a"];
    if (once === undefined) throw new Error("it is gone");
    const file = {
      id: "f",
      name: "a.md",
      mediaType: "text/markdown",
      bytes: 500,
      sha256: "0".repeat(64),
      url: "u",
    };
    const kept = { ...once, abridged: { ...once.abridged, answer: file } };
    const twice = boundResults(named([kept]), { ...SMALL, oneAnswerChars: 20 });
    expect(twice.results["a"]?.abridged).toEqual({ answerChars: 500, answer: file });
    expect(twice.leftOut.size).toBe(0);
  });
});
