import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { followUpIn, varied } from "./follow-up.ts";

describe("followUpIn", () => {
  it.each([
    ["now make it 5 slides", "change"],
    ["Make it shorter, please.", "change"],
    ["shorter", "change"],
    ["a bit longer", "change"],
    ["only six slides", "change"],
    ["in 5 slides", "change"],
    ["as a table", "change"],
    ["in German", "change"],
    ["for the board, please", "change"],
    ["without the charts", "change"],
    ["Could you rewrite that for my boss?", "change"],
    ["shorten the deck", "change"],
    ["again", "change"],
    ["make a deck of that", "present"],
    ["Now turn this into slides", "present"],
    ["as a presentation", "present"],
    ["add the sales figures", "add"],
    ["and include the risks", "add"],
    ["and for 2025?", "vary"],
    ["what about Norway?", "vary"],
    ["the same for DACH", "vary"],
    ["by product", "vary"],
  ] as const)("%s", (task, kind) => {
    expect(followUpIn(task)?.kind).toBe(kind);
  });

  it.each([
    "",
    "Create a presentation about our AI strategy",
    "What was the revenue by region in 2025?",
    "In 2025, what was the revenue of our largest customers by region?",
    "Who is responsible for the AI strategy?",
    "Make a deck about the board",
    "add up the revenue by region",
    "Show the sales figures",
    "Prepare ten slides on the data platform",
    "What do the documents say about this year's goals?",
    `make it shorter ${"and shorter ".repeat(30)}`,
  ])("is none: %s", (task) => {
    expect(followUpIn(task)).toBeUndefined();
  });

  it("takes what is added and varied without the words around it", () => {
    expect(followUpIn("please add the sales figures.")).toEqual({ kind: "add", what: "the sales figures" });
    expect(followUpIn("And how about 2025?")).toEqual({ kind: "vary", what: "2025" });
  });

  it("reads whatever it is given in time", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        followUpIn(text);
        followUpIn(`and ${text}`);
      }),
    );
    expect(followUpIn(" and".repeat(100_000))).toBeUndefined();
    expect(followUpIn(`make it ${" ".repeat(100_000)}x`)).toEqual({ kind: "change" });
  });
});

describe("varied", () => {
  it.each([
    ["What was the revenue by region in 2024?", "for 2025", "What was the revenue by region in 2025?"],
    ["What was the revenue by region in 2024?", "by product", "What was the revenue by product in 2024?"],
    ["What was the revenue by region?", "2025", "What was the revenue by region in 2025?"],
    ["What was the revenue?", "Norway", "What was the revenue for Norway?"],
    ["Compare 2023 and 2024", "in 2025", "Compare 2023 and 2024 in 2025"],
    ["Sales in Q1 2025", "Q2", "Sales in Q2 2025"],
  ])("%s + %s", (asked, what, whole) => {
    expect(varied(asked, what)).toBe(whole);
  });
});
