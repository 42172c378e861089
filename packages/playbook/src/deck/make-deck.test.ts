import { delegationPrompt, type StepResult } from "@troupe/core";
import { NO_USAGE, type ChartSpec, type Citation, type JsonObject } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import type { PlaybookMove } from "../policy/playbook.ts";
import { answered, ask } from "../testing/index.ts";
import { makeDeck } from "./make-deck.ts";

const NOW = Date.UTC(2026, 2, 31);
const PASSAGES = `Passages found for: AI strategy

## AI Strategy: Summary

- Norrvik has one ambition. [1]
- It spends EUR 14.4 million on AI. [2]

## AI Strategy: Budget

| Initiative | Total |
| --- | --- |
| Foresight 2 | 4.7 |

Table from the document. [2]

These are quotes; fixed rules write no answer.`;
const FIGURES = `## Revenue by quarter [chart-1]

- Revenue rose 17.2 %.

| Quarter | Revenue (EUR) |
| --- | --- |
| 2025-Q1 | 18 |

Table from sales.csv: 1 row. Sum of revenue_eur.`;

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
const cite = (id: string): Citation => ({
  id,
  document: "d",
  source: "d.md",
  collection: "c",
  chunkId: id,
  quote: "q",
  start: 0,
  end: 1,
});
const chart: ChartSpec = {
  v: 1,
  id: "chart-1",
  kind: "line",
  title: "Revenue by quarter",
  series: [{ field: "n", label: "n", type: "number" }],
  rows: [],
  provenance: { resultId: "r", query: "q", source: "s" },
};
const documents = result("documents", PASSAGES, { citations: [cite("1"), cite("2")] });
const data = result("data", FIGURES, { data: { charts: [chart] } });

const prompt = (
  results: readonly StepResult[],
  objective = "Create a deck about our AI strategy",
  instruction = 'Make a presentation titled "Our AI strategy" of these results.',
): string =>
  delegationPrompt({
    v: 1,
    objective,
    instruction,
    expectedOutput: "",
    allowedTools: [],
    limits: {},
    results: Object.fromEntries(results.map((one) => [one.stepId, one])),
  });

const CREATED = answered("powerpoint_create_presentation", ['Created. presentation_id: "deck-12345678"']);
const slidesOf = (text: string): readonly JsonObject[] =>
  (makeDeck(ask(text, ...CREATED), NOW).calls ?? []).map((call) => call.arguments["slide"] as JsonObject);
const finishOf = (move: PlaybookMove) =>
  move.calls?.[0]?.arguments as { content: string; is_task_complete: boolean };
const endOf = (
  text: string,
  added: readonly string[] = ["Added slide 1."],
  saved = 'Saved "our-ai-strategy.pptx".',
) =>
  finishOf(
    makeDeck(
      ask(
        text,
        ...CREATED,
        ...answered("powerpoint_add_slide", added),
        ...answered("powerpoint_save_presentation", [saved]),
      ),
      NOW,
    ),
  );

describe("the deck playbook", () => {
  it("creates the presentation, adds all slides in one round, saves it, and says what it made", () => {
    const text = prompt([documents, data]);
    expect(makeDeck(ask(text), NOW)).toMatchObject({
      calls: [{ name: "powerpoint_create_presentation", arguments: { title: "Our AI strategy" } }],
    });
    expect(
      makeDeck(ask(text, ...CREATED, ...answered("powerpoint_add_slide", ["Added."])), NOW).calls,
    ).toEqual([
      {
        name: "powerpoint_save_presentation",
        arguments: { presentation_id: "deck-12345678", file_name: "our-ai-strategy.pptx" },
      },
    ]);
    expect(endOf(text)).toMatchObject({
      content: 'I made the presentation "Our AI strategy" (our-ai-strategy.pptx).',
      is_task_complete: true,
    });
  });

  it("has a title, a slide for each section, table and chart with its sources, and the sources", () => {
    const source = (id: string) => ({ step: "documents", id });
    expect(slidesOf(prompt([documents, data]))).toEqual([
      { kind: "title", title: "Our AI strategy", date: "31 March 2026" },
      {
        kind: "bullets",
        title: "AI Strategy: Summary",
        points: [
          { text: "Norrvik has one ambition.", sources: [source("1")] },
          { text: "It spends EUR 14.4 million on AI.", sources: [source("2")] },
        ],
      },
      {
        kind: "table",
        title: "AI Strategy: Budget",
        columns: ["Initiative", "Total"],
        rows: [["Foresight 2", "4.7"]],
        sources: [source("2")],
      },
      {
        kind: "chart",
        title: "Revenue by quarter",
        chart: { step: "data", id: "chart-1" },
        takeaways: [{ text: "Revenue rose 17.2 %." }],
      },
      { kind: "sources" },
    ]);
  });

  it("keeps a long statement whole on its slide", () => {
    const long = `${"word ".repeat(60).trim()}.`;
    const answer = `## Part\n\n- ${long} [1]\n- Short. [1]`;
    const [, first] = slidesOf(
      prompt([result("documents", answer, { citations: [cite("1")] })]),
    ) as readonly {
      points: readonly { text: string }[];
    }[];
    expect(first?.points.map(({ text }) => text)).toEqual([long, "Short."]);
  });

  it("is partial where a step before it found nothing, left something out, or a slide was not made", () => {
    const nothing = result("documents", "No passage matches these words: tides.", { outcome: "partial" });
    const left = result("data", `Not used: DACH.\n\n${FIGURES}`, {
      outcome: "partial",
      data: { charts: [chart] },
    });
    const end = endOf(prompt([nothing, left]), ["Added slide 1.", "Added slide 2."]);
    expect(end.content).toContain("Not used: DACH.");
    expect(end.content).toContain(
      "Step documents gave nothing to show: No passage matches these words: tides.",
    );
    expect(end.is_task_complete).toBe(false);
    const unverified = endOf(
      prompt([documents]),
      ["Added."],
      "Saved.\n- slide 2, point 1: 17 % is in no source. Change it with powerpoint_x",
    );
    expect(unverified).toMatchObject({
      content: expect.stringContaining(
        "Not found in the sources:\n- slide 2, point 1: 17 % is in no source.",
      ) as unknown,
      is_task_complete: false,
    });
  });

  it.each([
    ["Make 5 slides about our AI strategy", "5 slides"],
    ["Create a deck about our AI strategy for the board", "for the board"],
    ["Create a deck about our AI strategy in German", "in German"],
    ["Erstelle 4 Folien über unsere Strategie auf Deutsch", "auf Deutsch"],
  ])("names a wish that it does not follow, and which takes a model: %s", (objective, wish) => {
    const end = endOf(prompt([documents], objective));
    expect(end.content).toContain(`Not used: ${wish}.`);
    expect(end.content).toContain("ANTHROPIC_API_KEY");
    expect(end.is_task_complete).toBe(false);
  });

  it("names what people answered in a form as not used", () => {
    const person = result("audience", "Audience: the board", { agent: "" });
    expect(endOf(prompt([documents, person])).content).toContain("Not used: Audience: the board.");
  });

  it("makes no presentation without results, and repeats what each step answered", () => {
    const nothing = result("documents", "No passage matches these words: tides.", { outcome: "partial" });
    const end = finishOf(makeDeck(ask(prompt([nothing])), NOW));
    expect(end.content).toContain("- **documents**: No passage matches these words: tides.");
    expect(end.is_task_complete).toBe(false);
    const alone = finishOf(makeDeck(ask("Make a deck about tides"), NOW));
    expect(alone.content).toMatch(/^No presentation was made: no results came with this request\./);
  });
});
