import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { followUpIn } from "./follow-up.ts";

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
    ["without the charts", "without"],
    ["leave out DACH", "without"],
    ["in one sentence", "change"],
    ["in a single sentence", "change"],
    ["limit it to 5 slides", "change"],
    ["make it one page", "change"],
    ["only 3 slides", "change"],
    ["just the five slides", "change"],
    ["reduce it to 4 slides", "change"],
    ["for the board instead", "change"],
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
    ["same thing but for 2024", "vary"],
    ["the same deck, but by product", "vary"],
    ["and 2025?", "vary"],
    ["2023", "vary"],
    ["last year", "vary"],
    ["just last year", "vary"],
    ["only for EMEA", "vary"],
    ["only the Nordics", "vary"],
    ["in Germany only", "vary"],
    ["the figures for 2023 only", "vary"],
    ["restrict it to DACH", "vary"],
    ["use 2024 instead", "vary"],
    ["make it 2024", "vary"],
    ["excluding DACH", "vary"],
    ["and before 2024?", "vary"],
    ["break it down by month", "vary"],
    ["and flights?", "vary"],
    ["and for the data platform?", "vary"],
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
    "and who owns it?",
    "and email it to Ann",
    "and revenue by region?",
    "and compare 2023 with 2024",
    "Only employees with a badge may enter; what does the policy say about visitors?",
    "add up the revenue by region",
    "Show the sales figures",
    "Prepare ten slides on the data platform",
    "What do the documents say about this year's goals?",
    `make it shorter ${"and shorter ".repeat(30)}`,
  ])("is none: %s", (task) => {
    expect(followUpIn(task)).toBeUndefined();
  });

  it("takes what is added and varied without the words around it", () => {
    expect(followUpIn("please add the sales figures.")).toEqual({
      kind: "add",
      what: "the sales figures",
      slide: false,
    });
    expect(followUpIn("add a slide about the risks")).toEqual({
      kind: "add",
      what: "the risks",
      slide: true,
    });
    expect(followUpIn("And how about 2025?")).toEqual({ kind: "vary", what: "2025", how: "other" });
    expect(followUpIn("only for EMEA")).toEqual({ kind: "vary", what: "for EMEA", how: "only" });
    expect(followUpIn("the figures for 2023 only")).toEqual({ kind: "vary", what: "for 2023", how: "only" });
    expect(followUpIn("except DACH")).toEqual({ kind: "vary", what: "excluding DACH", how: "only" });
    expect(followUpIn("split it by segment, please")).toEqual({
      kind: "vary",
      what: "by segment",
      how: "other",
    });
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
