import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { StepResult } from "../ports/delegation.ts";
import { delegationPrompt } from "./delegation-prompt.ts";
import { readDelegationPrompt } from "./read-delegation-prompt.ts";

function result(stepId: string, answer: string, ids: readonly string[]): StepResult {
  const place = { document: "d", source: "s", collection: "c", chunkId: "k", quote: "q", start: 0, end: 1 };
  return {
    stepId,
    agent: "rag-agent",
    outcome: "completed",
    answer,
    data: null,
    citations: ids.map((id) => ({ id, ...place })),
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  };
}

/** Several paragraphs, none of which begins like a part of the prompt. */
const words = fc
  .array(fc.stringMatching(/^[a-z[\]#*. -]{1,20}\n?$/), { minLength: 1, maxLength: 6 })
  .map((lines) => `w${lines.join("\n")}`);
const stepId = fc.stringMatching(/^[a-z][a-z0-9_-]{0,30}$/);

describe("readDelegationPrompt", () => {
  it("reads back what delegationPrompt wrote, over as many lines as it has", () => {
    const steps = fc.uniqueArray(fc.tuple(stepId, words, fc.array(fc.stringMatching(/^\d{1,3}$/))), {
      selector: ([id]) => id,
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        words,
        words,
        fc.option(words, { nil: "" }),
        steps,
        steps,
        (objective, instruction, expected, all, before) => {
          const named = before.map(([id, answer, ids]) => result(`turn1.${id}`, answer, ids));
          const turns = [{ turn: 1, runId: "r", asked: instruction, outcome: "completed" as const }];
          const results = all.map(([id, answer, ids]) => result(id, answer, ids));
          const prompt = delegationPrompt({
            v: 1,
            objective,
            instruction,
            expectedOutput: expected,
            allowedTools: [],
            limits: {},
            results: Object.fromEntries(results.map((one) => [one.stepId, one])),
            ...(all.length % 2 === 0
              ? {}
              : { unreadFiles: [{ name: objective, url: "https://x.example/a" }] }),
            ...(named.length === 0
              ? {}
              : {
                  earlier: {
                    v: 1,
                    turns,
                    results: Object.fromEntries(named.map((one) => [one.stepId, one])),
                  },
                }),
          });
          expect(readDelegationPrompt(prompt)).toEqual({
            objective,
            instruction,
            expectedOutput: expected,
            results: [...named, ...results].map(({ stepId: id, answer }) => ({ stepId: id, answer })),
          });
        },
      ),
    );
  });

  it("takes a text of any other form for the instruction", () => {
    for (const text of [
      "",
      "How many days of leave?\nAnd why?",
      "Expected output: x",
      "The goal of the whole run: x",
    ])
      expect(readDelegationPrompt(text)).toEqual({
        objective: text,
        instruction: text,
        expectedOutput: "",
        results: [],
      });
  });

  it("takes a heading that only looks like a framing line for a part of the answer", () => {
    const answer = "a\n\n## Result of step two\n\n## Result of step two (x)\nb";
    const { results } = readDelegationPrompt(
      `Your task: x\n\n## Result of step one (rag-agent, completed)\na\n\n## Result of step two\nb`,
    );
    expect(results).toEqual([{ stepId: "one", answer: "a\n\n## Result of step two\nb" }]);
    // A whole line of ours in an answer cannot be told from ours.
    expect(readDelegationPrompt(`## Result of step one (y)\n${answer}`).results).toHaveLength(2);
  });

  it("reads a text of nothing but framing lines in linear time", () => {
    const prompt = `Your task: x${"\n\n## Result of step ".repeat(50_000)}`;
    expect(readDelegationPrompt(prompt).results).toEqual([]);
  });
});
