import { describe, expect, it } from "vitest";

import { dataPhraseOf, textPhraseOf, topicOf } from "./intents.ts";

const TASK =
  "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures.";

describe("topicOf", () => {
  it.each([
    [TASK, "Norrvik's AI strategy"],
    ["Slides on\nthe   travel policy", "the travel policy"],
    ["Make a deck.", "Make a deck"],
    ["Create a presentation: the plan for 2026", "the plan for 2026"],
    ["Make a deck about quality and our sales process", "quality and our sales process"],
    ["Make a deck about quality and our sales figures", "quality"],
    ["Prepare a deck for the board on 12 May about water quality", "water quality"],
    ["A deck about our customers, partners and suppliers", "our customers, partners and suppliers"],
    ["Slides about the AI strategy, ten slides, for the board", "the AI strategy"],
    ["Slides on working with AI, with charts", "working with AI"],
    ["Slides on the roadmap and the sales figures of DACH and Nordics.", "the roadmap"],
    ["A deck on customers with revenue of DACH and Nordics by quarter", "customers"],
    ["Compare our AI strategy with the sales figures and make a deck", "our AI strategy"],
    ["Summarise the travel policy, then prepare ten slides for the board.", "the travel policy"],
    ["Please review the pilot report and put it into a presentation", "the pilot report"],
    ["Find the risks and make a deck about water quality", "water quality"],
    ["Could you make slides of the pilot report?", "the pilot report"],
  ])("%j is about %j", (task, topic) => {
    expect(topicOf(task, true)).toBe(topic);
  });

  it("keeps words on data where no other step has them", () => {
    expect(topicOf("Make a deck about quality and our sales figures", false)).toBe(
      "quality and our sales figures",
    );
    expect(topicOf("Compare our AI strategy with the sales figures and make a deck", false)).toBe(
      "our AI strategy with the sales figures",
    );
  });
});

describe("dataPhraseOf", () => {
  it.each([
    [TASK, "its sales figures"],
    ["Make a deck.", ""],
    [
      "Slides on the roadmap and the sales figures of DACH and Nordics.",
      "the sales figures of DACH and Nordics",
    ],
    [
      "Who leads AI and what is the budget, and how did sales in DACH develop?",
      "how did sales in DACH develop",
    ],
  ])("%j asks for %j", (task, phrase) => {
    expect(dataPhraseOf(task)).toBe(phrase);
  });
});

describe("textPhraseOf", () => {
  it.each([
    ["Compare our pricing policy with the revenue of last year", "our pricing policy"],
    [
      "What does the strategy say about Foresight, and actual sales in 2025?",
      "What does the strategy say about Foresight",
    ],
    ["revenue by quarter", "revenue by quarter"],
    [
      "Who leads AI and what is the budget, and how did sales in DACH develop?",
      "Who leads AI? what is the budget of AI?",
    ],
  ])("%j asks the documents for %j", (task, phrase) => {
    expect(textPhraseOf(task)).toBe(phrase);
  });
});

it("is not held up by a long task", () => {
  for (const filler of [" ", ".", "\n", "and its "]) {
    const task = `about a${filler.repeat(500_000)}b`;
    expect(topicOf(task, true).length).toBeLessThanOrEqual(2_000);
    expect(dataPhraseOf(task)).toBe("");
  }
});
