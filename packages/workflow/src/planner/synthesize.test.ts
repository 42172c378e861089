import { describeFinding, ModelError, type StepResult } from "@troupe/core";
import { scriptedModel, type ScriptedStep } from "@troupe/core/testing";
import { NO_USAGE, type AgentEventBody, type ChartSpec, type Citation } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { renumber } from "./renumber.ts";
import { joinAnswers, synthesize } from "./synthesize.ts";

const signal = new AbortController().signal;

function cite(id: string, chunkId: string): Citation {
  return { id, document: "d", source: "d.md", collection: "c", chunkId, quote: "q", start: 0, end: 1 };
}
function chart(id: string, title: string): ChartSpec {
  const provenance = { resultId: "r", query: "q", source: "s" };
  return {
    v: 1,
    id,
    kind: "bar",
    title,
    series: [{ field: "n", label: "n", type: "number" }],
    rows: [],
    provenance,
  };
}
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
  result("market-data", "Sales rose [1], see [chart-1].", {
    citations: [cite("1", "a")],
    data: { charts: [chart("chart-1", "one")] },
  }),
  result("research", "Plan [1] and rise [2] and [chart-1].", {
    citations: [cite("1", "b"), cite("2", "a")],
    data: { charts: [chart("chart-1", "two")] },
  }),
];

/** What an agent answered, and the output_schema of its step does not take. */
const refused = result("figures", "12 gazillion", {
  outcome: "failed",
  error: { code: "workflow.output-invalid", message: "it does not fit" },
});
const file = { id: "f", name: "f.pptx", mediaType: "x/y", bytes: 1, sha256: "0".repeat(64), url: "/f" };

it("lists the unverified statements of a step for the model that writes the answer", async () => {
  const unsure = result("deck", "Margin was 71 % [1]. The deck is ready.", {
    outcome: "partial",
    checks: [
      {
        sentence: "Margin was 71 % [1].",
        status: "finding",
        finding: { kind: "figure", detail: "71 %" },
      },
      { sentence: "The deck is ready.", status: "verified" },
    ],
    data: {
      powerpoint_save_presentation: {
        unverified: [{ slide: 3, place: "title", statement: "Sales fell", problem: "it has no source" }],
      },
    },
  });
  const cut = result("research", "Part of it.", {
    outcome: "partial",
    error: { code: "model.max-tokens", message: "The answer was cut off." },
  });
  const model = scriptedModel([{ text: "The margin is not verified." }]);
  await synthesize({
    task: "Summarise.",
    results: [unsure, cut, ...results],
    model,
    signal,
    emit: () => undefined,
  });
  const [request] = model.requests;
  const [, deck, research, ...others] = request?.messages ?? [];
  expect(request?.system).toContain("never state it as certain");
  expect(deck).toMatchObject({
    text: [
      "Step deck (deck-agent, partial):",
      "Margin was 71 % [1]. The deck is ready.",
      "",
      "Doubtful in this finding:",
      `- "Margin was 71 %.": ${describeFinding({ kind: "figure", detail: "71 %" })}`,
      '- on slide 3: "Sales fell": it has no source',
    ].join("\n"),
  });
  expect(research).toMatchObject({ text: expect.stringContaining("- The answer was cut off.") as string });
  expect(JSON.stringify(others)).not.toContain("Doubtful");
});

describe("renumber", () => {
  it("keeps sources of different steps apart and takes the same passage for the same", () => {
    const { answers, citations, charts } = renumber(results);
    expect(answers).toEqual(["Sales rose [1], see [chart-1].", "Plan [2] and rise [1] and [chart-2]."]);
    expect(citations.map((one) => [one.id, one.chunkId])).toEqual([
      ["1", "a"],
      ["2", "b"],
    ]);
    expect(charts.map((one) => [one.id, one.title])).toEqual([
      ["chart-1", "one"],
      ["chart-2", "two"],
    ]);
  });

  it("keeps the widest passage that a step was shown of a source", () => {
    const narrow = result("a", "So [1].", { citations: [cite("1", "a")] });
    const passage = `Before. ${cite("1", "a").quote} After.`;
    const wide = result("b", "And [1].", { citations: [{ ...cite("1", "a"), passage }] });
    expect(renumber([narrow, wide]).citations).toMatchObject([{ id: "1", passage }]);
    expect(renumber([wide, narrow]).citations).toMatchObject([{ id: "1", passage }]);
  });

  it("points every reference at the passage it pointed at before, and leaves other brackets alone", () => {
    const step = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom("a", "b", "c", "d")),
      {
        selector: ([id]) => id,
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), (steps) => {
        const given = steps.map((citations, index) =>
          result(
            `s${index}`,
            citations.map(([id, chunk]) => `${chunk}[${id}]`).join(" ") + " [x] [](y) [10]",
            {
              citations: citations.map(([id, chunk]) => cite(String(id), chunk)),
            },
          ),
        );
        const { answers, citations } = renumber(given);
        for (const answer of answers) {
          expect(answer.endsWith(" [x] [](y) [10]")).toBe(true);
          for (const [, chunk, id] of answer.matchAll(/([a-d])\[(\d+)\]/g))
            expect(citations.find((one) => one.id === id)?.chunkId).toBe(chunk);
        }
      }),
    );
  });
});

describe("synthesize", () => {
  it("streams the answer as the run's own text and keeps every source", async () => {
    const events: AgentEventBody[] = [];
    const model = scriptedModel([{ text: "All of it: [2] and [1].", split: 5, usage: { outputTokens: 9 } }]);
    const synthesis = await synthesize({
      task: "Why?",
      results,
      model,
      signal,
      emit: (event) => events.push(event),
    });
    expect(synthesis).toMatchObject({
      outcome: "completed",
      content: "All of it: [2] and [1].",
      usage: { outputTokens: 9 },
    });
    expect(synthesis.citations.map(({ id, chunkId }) => [id, chunkId])).toEqual([
      ["1", "a"],
      ["2", "b"],
    ]);
    expect(synthesis.data?.charts).toHaveLength(2);
    expect(events[0]).toEqual({ type: "text-start", itemId: "answer", role: "answer" });
    const streamed = events.flatMap((event) => (event.type === "text-delta" ? event.delta : []));
    expect(streamed.join("")).toBe(synthesis.content);
    expect(streamed.length).toBeGreaterThan(1);
    const texts = model.requests[0]?.messages.map((message) => (message.role === "user" ? message.text : ""));
    expect(texts).toEqual([
      "Why?",
      "Step market-data (market-data-agent, completed):\nSales rose [1], see [chart-1].",
      "Step research (research-agent, completed):\nPlan [2] and rise [1] and [chart-2].",
    ]);
  });

  it("is partial when it was cut off or names a source there is none of", async () => {
    const outcome = async (text: string, stop: "end" | "max-tokens") =>
      (
        await synthesize({
          task: "t",
          results,
          model: scriptedModel([{ text, stop }]),
          signal,
          emit: () => undefined,
        })
      ).outcome;
    expect(await outcome("as in [7]", "end")).toBe("partial");
    expect(await outcome("as in [1]", "max-tokens")).toBe("partial");
  });

  it("throws when the model refuses, says nothing or breaks", async () => {
    for (const step of [
      { text: "", stop: "refusal" as const },
      { text: " " },
      { fail: new ModelError("model.auth", "no") },
    ]) {
      const written = synthesize({
        task: "t",
        results,
        model: scriptedModel([step]),
        signal,
        emit: () => undefined,
      });
      await expect(written).rejects.toBeInstanceOf(ModelError);
    }
  });

  describe("where the text takes nothing from the findings", () => {
    const announced = { text: "I will now combine the findings of both steps." };
    const written = async (steps: readonly ScriptedStep[], given: readonly StepResult[] = results) => {
      const events: AgentEventBody[] = [];
      const model = scriptedModel(steps);
      const emit = (event: AgentEventBody): void => void events.push(event);
      const synthesis = await synthesize({ task: "Why?", results: given, model, signal, emit });
      model.assertDone();
      return { synthesis, events, last: model.requests.at(-1)?.messages.at(-1) };
    };

    it("asks once more, and supersedes that text", async () => {
      const { synthesis, events, last } = await written([announced, { text: "Sales rose [1]." }]);
      expect(last).toMatchObject({ text: expect.stringContaining("This cites nothing of the findings") });
      expect(synthesis).toMatchObject({
        outcome: "completed",
        content: "Sales rose [1].",
        answerItems: ["answer-2"],
      });
      expect(events).toContainEqual({
        type: "attempt-start",
        reason: "The text took nothing from the findings.",
        items: ["answer"],
      });
    });

    it("throws when such a text comes again", async () => {
      const again = written([announced, { text: "I cannot access external documents." }]);
      await expect(again).rejects.toBeInstanceOf(ModelError);
    });

    it.each([
      ["repeats words of the findings", "Sales rose.", results],
      ["is longer", "Nobody knows anything about these questions. ".repeat(8), results],
      ["follows steps without sources", announced.text, [result("a", "By train."), result("b", "By bus.")]],
      [
        "follows a step that made a file",
        "Please download everything.",
        [...results, result("deck", "", { artifacts: [file] })],
      ],
    ])("accepts a text that %s", async (_, text, given) => {
      expect((await written([{ text }], given)).synthesis.outcome).toBe("completed");
    });
  });

  it("tells the model which steps found nothing", async () => {
    const model = scriptedModel([{ text: "x" }]);
    const failed = result("gone", "", { outcome: "failed", error: { code: "c", message: "unreachable" } });
    await synthesize({ task: "t", results: [...results, failed], model, signal, emit: () => undefined });
    const last = model.requests[0]?.messages.at(-1);
    expect(last?.role === "user" && last.text).toBe(
      "Steps without a finding:\n- gone (gone-agent): failed: unreachable",
    );
  });

  it("tells the model why a step failed, and not what it answered", async () => {
    const model = scriptedModel([{ text: "x" }]);
    const given = [...results, refused];
    const { from } = await synthesize({ task: "t", results: given, model, signal, emit: () => undefined });
    const texts = model.requests[0]?.messages.map((message) => (message.role === "user" ? message.text : ""));
    expect(texts).toHaveLength(4);
    expect(texts?.at(-1)).toBe(
      "Steps without a finding:\n- figures (figures-agent): failed: it does not fit",
    );
    expect(from).toEqual(["market-data", "research"]);
  });

  it("does not call missing what made files, nor a person who had nothing to say", async () => {
    const model = scriptedModel([{ text: "x" }]);
    const deck = result("deck", "", { artifacts: [file] });
    const given = [...results, deck, result("person", "", { agent: "" })];
    await synthesize({ task: "t", results: given, model, signal, emit: () => undefined });
    expect(model.requests[0]?.messages).toHaveLength(3);
  });
});

describe("without a model", () => {
  const joined =
    "## Market data\n\nSales rose [1], see [chart-1].\n\n## Research\n\nPlan [2] and rise [1] and [chart-2].";

  it("the answers are joined under headings", () => {
    expect(joinAnswers({ task: "t", results, emit: () => undefined }).content).toBe(joined);
    expect(joinAnswers({ task: "t", results: results.slice(0, 1), emit: () => undefined }).content).toBe(
      "Sales rose [1], see [chart-1].",
    );
  });

  it("leaves out the answer of a step that failed, and says first what is missing", async () => {
    const options = { task: "t", results: [...results, refused], emit: () => undefined };
    const { content, from } = joinAnswers(options);
    expect(content).toBe(
      `## What is missing\n\n- figures (figures-agent): failed: it does not fit\n\n${joined}`,
    );
    expect(from).toEqual(["market-data", "research"]);
  });
});
