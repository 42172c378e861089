import { ModelError, type StepResult } from "@troupe/core";
import {
  fakeAnswerCheck,
  scriptedModel,
  type FakeAnswerCheckOptions,
  type ScriptedStep,
} from "@troupe/core/testing";
import { NO_USAGE, type AgentEventBody, type Citation, type ResultTable } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { joinAnswers, synthesize, type SynthesizeOptions } from "./synthesize.ts";

const cite = (id: string, chunkId: string): Citation => {
  return { id, document: "d", source: "d.md", collection: "c", chunkId, quote: "q", start: 0, end: 1 };
};
const table: ResultTable = { id: "result-1", columns: ["n"], rows: [[4.5]] };

function result(stepId: string, answer: string, more: Partial<StepResult> = {}): StepResult {
  return {
    stepId,
    agent: `${stepId}-agent`,
    outcome: "completed",
    answer,
    data: null,
    citations: [],
    artifacts: [],
    usage: NO_USAGE,
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
    ...more,
  };
}

const results = [
  result("sales", "Sales rose [1].", {
    citations: [cite("1", "a")],
    data: { tables: [table] },
    checks: [{ sentence: "Sales rose [1].", status: "verified" }],
  }),
  result("plan", "Plan holds [1]. Tideline left [1].", {
    citations: [cite("1", "b")],
    checks: [
      { sentence: "Plan holds [1].", status: "verified" },
      { sentence: "Tideline left [1].", status: "finding", finding: { kind: "name", detail: "Tideline" } },
    ],
  }),
];

const DRAFT = "Sales rose [1]. Profit was 3.3 million [2].";

async function write(
  steps: readonly ScriptedStep[],
  { review, ...fake }: Partial<FakeAnswerCheckOptions> = {},
  more: Partial<SynthesizeOptions> = {},
) {
  const events: AgentEventBody[] = [];
  const model = scriptedModel(steps);
  const answerCheck = fakeAnswerCheck({
    words: { "3.3": "figure", Tideline: "name" },
    ...fake,
    ...(review && { review }),
  });
  const synthesis = await synthesize({
    task: "How was it?",
    results,
    model,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    check: { answerCheck, today: "2026-11-22", ...(review && { review: true }) },
    ...more,
  });
  model.assertDone();
  const shown = (id: string) =>
    events.map((event) => (event.type === "text-delta" && event.itemId === id ? event.delta : "")).join("");
  expect(synthesis.answerItems.map(shown).join("")).toBe(synthesis.content);
  return { synthesis, events, answerCheck, requests: model.requests };
}

const json = (...replacements: readonly { sentence: string; text: string }[]): ScriptedStep => ({
  text: `\`\`\`json\n${JSON.stringify({ replacements })}\n\`\`\``,
  usage: { outputTokens: 3 },
});

describe("the answer from several steps", () => {
  it("is partial if the check itself fails", async () => {
    const failing = {
      ...fakeAnswerCheck({ words: {} }),
      check: () => {
        throw new Error("broken");
      },
    };
    const check = { answerCheck: failing, today: "2026-11-22" };
    const { synthesis } = await write([{ text: "Sales rose [1]." }], {}, { check });
    expect(synthesis).toMatchObject({
      outcome: "partial",
      content: "Sales rose [1].",
      error: { code: "agent.unverified" },
    });
    expect(synthesis).not.toHaveProperty("checks");
  });

  it("rests on no statement that a step's tools could not verify, nor on names the step's query made up", async () => {
    const unverified = [
      { slide: 2, place: "title", statement: "Margin is 97 %", problem: "97 % was not found" },
    ];
    const made = { ...table, columns: ["Novak 9.7"], query: 'SELECT n AS "Novak 9.7" FROM t' };
    const deck = result("deck", "Not found: Margin is 97 %. The deck has 12 slides.", {
      data: { save: { unverified, compared: false }, tables: [made] },
      checks: [{ sentence: "The deck has 12 slides.", status: "verified" }],
    });
    const { answerCheck } = await write([{ text: "Done." }], {}, { results: [deck] });
    const { given, tables } = answerCheck.asked[0]?.evidence ?? { given: [], tables: [] };
    expect(given.join()).toContain("12 slides");
    expect(`${given.join()} ${tables[0]?.columns.join()}`).not.toMatch(/97|9\.7|Novak/);
  });

  it("gives cited tables of the steps numbers of their own", async () => {
    const data = result("data", "North has 4.5 [1], as in [1, chart-1].", {
      data: {
        tables: [
          { ...table, number: "1" },
          { ...table, id: "result-2" },
        ],
      },
    });
    const earlier = result("old", "Two rows [result-3].", {
      data: { tables: [{ ...table, id: "result-3" }] },
    });
    const text = "Sales rose [1]. North has 4.5 [2]. Two rows [3]. Gone [result-2].";
    const { synthesis, requests, answerCheck } = await write(
      [{ text }, { text: "{}" }],
      {},
      {
        results: [...results.slice(0, 1), data, earlier],
      },
    );
    expect(JSON.stringify(requests[0]?.messages)).toContain("North has 4.5 [2], as in");
    expect(JSON.stringify(requests[0]?.messages)).toContain("Two rows [3].");
    expect(synthesis.content).toBe("Sales rose [1]. North has 4.5 [2]. Two rows [3]. Gone.");
    expect(synthesis.data?.tables).toEqual([
      { ...table, number: "2" },
      { ...table, id: "result-2" },
      { ...table, id: "result-3", number: "3" },
    ]);
    expect(answerCheck.asked[0]?.evidence.tables).toMatchObject([{ number: "2" }, {}, { number: "3" }]);
  });

  it("is compared with what all of them found", async () => {
    const { synthesis, answerCheck } = await write([{ text: "Sales rose [1]." }]);
    expect(answerCheck.asked).toMatchObject([
      {
        evidence: {
          citations: [
            { id: "1", chunkId: "a" },
            { id: "2", chunkId: "b" },
          ],
          tables: [table],
          given: ["How was it?", "Sales rose [1].", "Plan holds [2].", "2026-11-22"],
        },
        options: { bound: "strict" },
      },
    ]);
    expect(synthesis).toMatchObject({
      outcome: "completed",
      checks: [{ status: "verified" }],
      data: { tables: [table] },
      answerItems: ["answer"],
    });
  });

  it("is corrected once by replacements, which supersede the first text", async () => {
    const { synthesis, events, requests } = await write([
      { text: DRAFT, split: 6 },
      json({ sentence: "Profit was 3.3 million [2].", text: "Plan holds [2]." }),
    ]);
    expect(synthesis).toMatchObject({
      outcome: "completed",
      content: "Sales rose [1]. Plan holds [2].",
      usage: { outputTokens: 3 },
      answerItems: ["answer-corrected"],
    });
    expect(synthesis.error).toBeUndefined();
    const last = requests[1]?.messages.at(-1);
    expect(last?.role === "user" && last.text).toContain("1. Profit was 3.3 million [2].\n   its sources");
    expect(events.flatMap((event) => (event.type === "text-delta" ? [] : event.type))).toEqual([
      "text-start",
      "usage",
      "attempt-start",
      "text-end",
      "text-start",
      "text-end",
    ]);
  });

  it("stays where the model names the operands of a figure that it computed", async () => {
    const derived = [{ figure: "3.3", operands: ["1.1", "2.2"], sentence: "Profit was" }];
    for (const correction of [{ derived }, { replacements: [], derived }]) {
      const { synthesis, answerCheck, events } = await write([
        { text: DRAFT },
        { text: JSON.stringify(correction) },
      ]);
      expect(synthesis).toMatchObject({
        outcome: "completed",
        content: DRAFT,
        checks: [{ status: "verified" }, { status: "derived" }],
      });
      expect(answerCheck.asked.at(-1)?.options).toEqual({ bound: "lenient", derived, refused: DRAFT });
      expect(events.some(({ type }) => type === "attempt-start")).toBe(false);
    }
  });

  it("keeps named operands beside replacements", async () => {
    const draft = "Sales rose [1]. Profit was 3.3 million [2]. Tideline left [2].";
    const { synthesis } = await write([
      { text: draft },
      {
        text: JSON.stringify({
          replacements: [{ sentence: "Tideline left [2].", text: "" }],
          derived: [{ figure: "3.3", operands: ["1.1", "2.2"] }],
        }),
      },
    ]);
    expect(synthesis).toMatchObject({
      outcome: "completed",
      content: "Sales rose [1]. Profit was 3.3 million [2].",
      checks: [{ status: "verified" }, { status: "derived" }],
    });
  });

  it("is taken anew where the model writes no JSON", async () => {
    const { synthesis } = await write([{ text: DRAFT }, { text: "Sales rose [1]." }]);
    expect(synthesis).toMatchObject({ outcome: "completed", content: "Sales rose [1]." });
  });

  it.each([
    ["is no better", { text: "Sales rose, 3.3. Up 3.3." }],
    ["fails", { fail: new ModelError("model.auth", "no") }],
    ["is cut off", { text: "Sales", stop: "max-tokens" as const }],
  ])("stays where its correction %s, and is partial with its findings", async (_, step) => {
    const { synthesis, events } = await write([{ text: DRAFT }, step]);
    expect(synthesis).toMatchObject({
      outcome: "partial",
      content: DRAFT,
      checks: [{ status: "verified" }, { finding: { kind: "figure" } }],
      error: {
        code: "agent.unverified",
        message: expect.stringContaining('1 of 2 claims could not be verified.\n- "Profit was 3.3') as string,
      },
    });
    expect(events.some(({ type }) => type === "attempt-start")).toBe(false);
  });

  it("stays where its correction keeps less than half of the claims that hold", async () => {
    const draft = "Sales rose [1]. Plan holds [2]. Costs fell [1]. Profit was 3.3 million [2].";
    const { synthesis } = await write([{ text: draft }, { text: "Sorry." }]);
    expect(synthesis).toMatchObject({ outcome: "partial", content: draft });
  });

  it("loses references to nothing, with and without a check", async () => {
    const steps = [{ text: "Sales rose [1, 77]." }, { text: "Sales rose [1, 77]." }];
    const checked = await write(steps);
    const unchecked = await synthesize({
      task: "t",
      results,
      model: scriptedModel(steps.slice(0, 1)),
      signal: new AbortController().signal,
      emit: () => undefined,
    });
    for (const synthesis of [checked.synthesis, unchecked])
      expect(synthesis).toMatchObject({
        outcome: "partial",
        content: "Sales rose [1].",
        error: { message: "References to sources that no tool returned were removed: [77]." },
      });
    expect(unchecked).not.toHaveProperty("checks");
  });

  it("is reviewed by the model once, where that is asked for", async () => {
    const { synthesis, answerCheck } = await write(
      [{ text: "It never fell [1]." }, { text: "It never fell [1]." }],
      {
        review: { never: "contradicted" },
      },
    );
    expect(answerCheck.reviews).toBe(1);
    expect(synthesis).toMatchObject({ outcome: "partial", checks: [{ finding: { kind: "contradicted" } }] });
    expect(synthesis.usage.inputTokens).toBe(7);
  });

  it("says that it was cut off, and is not corrected then", async () => {
    const { synthesis } = await write([{ text: "Sales rose [1].", stop: "max-tokens" }]);
    expect(synthesis).toMatchObject({ outcome: "partial", error: { code: "model.max-tokens" } });
  });

  it("names files that were not read to the model", async () => {
    const unreadFiles = [{ name: "plan.pdf", url: "https://example.com/plan.pdf" }];
    const { requests } = await write([{ text: "So." }], {}, { unreadFiles });
    const last = requests[0]?.messages.at(-1);
    expect(last?.role === "user" && last.text).toMatch(/^Files that were not read:\nThe file plan\.pdf /);
  });
});

it("joins the checks of the steps with their answers, under the numbers of the joined one", () => {
  const { content, checks, error, data } = joinAnswers({ task: "t", results, emit: () => undefined });
  expect(checks?.map(({ sentence, status }) => [sentence, status])).toEqual([
    ["Sales rose [1].", "verified"],
    ["Plan holds [2].", "verified"],
    ["Tideline left [2].", "finding"],
  ]);
  for (const { sentence } of checks ?? []) expect(content).toContain(sentence);
  expect(error?.message).toMatch(/^1 of 3 claims could not be verified\.\n- "Tideline left/);
  expect(data).toEqual({ tables: [table] });
  const unchecked = results.map(({ checks: _, ...rest }) => rest);
  expect(joinAnswers({ task: "t", results: unchecked, emit: () => undefined })).not.toHaveProperty("checks");
});
