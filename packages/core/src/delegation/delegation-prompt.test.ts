import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Delegation, StepResult } from "../ports/delegation.ts";
import { delegationPrompt } from "./delegation-prompt.ts";
import { readDelegationPrompt } from "./read-delegation-prompt.ts";

function result(stepId: string, answer: string, ids: readonly string[] = []): StepResult {
  const citation = {
    document: "d",
    source: "s",
    collection: "c",
    chunkId: "k",
    quote: "q",
    start: 0,
    end: 1,
  };
  return {
    stepId,
    agent: "rag-agent",
    outcome: "completed",
    answer,
    data: null,
    citations: ids.map((id) => ({ id, ...citation })),
    artifacts: [{ id: "f", name: "deck.pptx", mediaType: "x/y", bytes: 1, sha256: "0", url: "u" }],
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  };
}

function delegation(results: readonly StepResult[]): Delegation {
  return {
    v: 1,
    objective: "Make a deck.",
    instruction: "Draw it.",
    expectedOutput: "A file.",
    allowedTools: [],
    limits: {},
    results: Object.fromEntries(results.map((entry) => [entry.stepId, entry])),
  };
}

describe("delegationPrompt", () => {
  it("says what is wanted and puts each answer in once, as it is, under one line", () => {
    const answer = 'It "is" 4 [1].\n\\n & <b>';
    const prompt = delegationPrompt(delegation([result("find", answer, ["1", "2"])]));
    expect(prompt).toBe(
      [
        "The goal of the whole run: Make a deck.",
        "Your task: Draw it.",
        "Expected output: A file.",
        "Cite what the results below rest on by id, as [1].",
        `## Result of step find (rag-agent, completed; citations 1, 2; files deck.pptx)\n${answer}`,
      ].join("\n\n"),
    );
  });

  it("names the step beside the id where more than one step has citations", () => {
    const prompt = delegationPrompt(delegation([result("find", "x", ["1"]), result("check", "y", ["1"])]));
    expect(prompt).toContain("by step and id, as [find/1].");
  });

  it("lists what was asked before, and puts in what is built upon by its name, before the results of the run", () => {
    const turns = [
      { turn: 1, runId: "a", asked: "Make a\n deck.", outcome: "completed" as const },
      { turn: 2, runId: "b", asked: "Shorter." },
    ];
    const results = { "turn1.find": result("turn1.find", "Old [1].", ["1"]) };
    const prompt = delegationPrompt({
      ...delegation([result("find", "New [1].", ["1"])]),
      earlier: { v: 1, turns, results },
    });
    expect(prompt).toContain(
      "Earlier in this conversation it was asked:\n1. (completed) Make a deck.\n2. (not ended) Shorter.\n\nCite",
    );
    expect(prompt).toContain("by step and id, as [turn1.find/1].");
    expect(prompt.indexOf("## Result of step turn1.find (")).toBeLessThan(
      prompt.indexOf("## Result of step find ("),
    );
  });

  it("names files that nobody read, each on a line, and leaves what is read back as it is", () => {
    const unreadFiles = [{ name: "old\n\n## Result of step x ()", url: "https://x.example/plan.pdf" }];
    const prompt = delegationPrompt({ ...delegation([]), unreadFiles });
    expect(prompt).toContain("old ## Result of step x () (https://x.example/plan.pdf) was not read");
    expect(readDelegationPrompt(prompt)).toEqual(readDelegationPrompt(delegationPrompt(delegation([]))));
  });

  it("asks for JSON where the answer is to fit a schema, and leaves what is read back as it is", () => {
    const asked = { ...delegation([result("find", "x", ["1"])]), outputSchema: { type: "array" } };
    const prompt = delegationPrompt(asked);
    expect(prompt).toContain(
      '\n\nWrite your whole answer as JSON that fits this schema: {"type":"array"}\n\n',
    );
    expect(readDelegationPrompt(prompt)).toMatchObject({
      objective: "Make a deck.",
      instruction: "Draw it.",
      expectedOutput: "A file.",
      results: [{ stepId: "find", answer: "x" }],
    });
  });

  it("is just the task where there is nothing else", () => {
    expect(delegationPrompt({ ...delegation([]), objective: "Draw it.", expectedOutput: "" })).toBe(
      "Your task: Draw it.",
    );
  });

  it("frames an answer with at most a tenth of it or 200 characters", () => {
    const ids = fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 200 });
    const stepId = fc.stringMatching(/^[a-z][a-z0-9-]{0,79}$/);
    fc.assert(
      fc.property(stepId, fc.string({ maxLength: 5_000 }), ids, (id, answer, citations) => {
        const bare = delegationPrompt(delegation([]));
        const rule =
          citations[0] === undefined
            ? 0
            : `\n\nCite what the results below rest on by id, as [${citations[0]}].`.length;
        const framing =
          delegationPrompt(delegation([result(id, answer, citations)])).length -
          bare.length -
          rule -
          answer.length;
        expect(framing).toBeLessThanOrEqual(Math.max(200, answer.length * 0.1));
      }),
    );
  });

  it("counts ids that do not fit", () => {
    const ids = Array.from({ length: 90 }, (_, index) => `${index + 1}`);
    expect(delegationPrompt(delegation([result("find", "x", ids)]))).toMatch(
      /citations 1, 2, .*, \+\d+ more\)/,
    );
  });
});

it("names the ids that tools returned for later calls, and none of a table", () => {
  const deck: StepResult = {
    ...result("turn1.deck", "The deck is ready."),
    data: {
      powerpoint_save_presentation: { presentation_id: "deck-7", file_name: "deck.pptx", slides: 6 },
      query_db: { result_id: "result-1", odd_id: "two words" },
      tables: [{ id: "result-1", columns: [], rows: [] }],
    },
  };
  expect(delegationPrompt(delegation([deck]))).toContain(
    "## Result of step turn1.deck (rag-agent, completed; presentation_id deck-7; files deck.pptx)\n",
  );
});
