import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { varied, type Variation } from "./varied.ts";

const other = (what: string): Variation => ({ what, how: "other" });
const only = (what: string): Variation => ({ what, how: "only" });

describe("varied", () => {
  it.each([
    ["What was the revenue by region in 2024?", other("for 2025"), "What was the revenue by region in 2025?"],
    ["What was the revenue by region in 2024?", other("2025"), "What was the revenue by region in 2025?"],
    ["revenue by region since 2023", other("for 2025"), "revenue by region in 2025"],
    ["revenue by region in 2024", other("since 2023"), "revenue by region since 2023"],
    ["What was the revenue by region?", other("2025"), "What was the revenue by region in 2025?"],
    ["the sales figures", other("last year"), "the sales figures last year"],
    ["revenue last year", other("this year"), "revenue this year"],
    ["Sales in Q1 2025", other("Q2"), "Sales in Q2 2025"],
    ["Sales in Q1 2025", other("for 2024"), "Sales in Q1 2024"],
    ["Sales in 2025", other("in Q2"), "Sales in Q2 2025"],
    ["Sales in 2025", other("Q3 2024"), "Sales in Q3 2024"],
    ["Sales last year", other("in March 2024"), "Sales in March 2024"],
  ])("%s, %o: another time", (asked, what, whole) => {
    expect(varied(asked, what, true)).toBe(whole);
  });

  it.each([
    [
      "What was the revenue by region in 2024?",
      other("by product"),
      "What was the revenue by product in 2024?",
    ],
    ["the sales figures for 2025", other("by region"), "the sales figures for 2025 by region"],
    ["top 10 products by revenue", other("per month"), "top 10 products by revenue per month"],
  ])("%s, %o: another grouping", (asked, what, whole) => {
    expect(varied(asked, what, true)).toBe(whole);
  });

  it.each([
    ["What was the revenue?", other("Norway"), "What was the revenue for Norway?"],
    ["What was the revenue in Norway in 2024?", other("Sweden"), "What was the revenue in Sweden in 2024?"],
    ["How many customers are in Norway?", other("in the Nordics"), "How many customers are in the Nordics?"],
    ["revenue of Foresight in 2024", only("the Nordics"), "revenue of Foresight in 2024 for the Nordics"],
    ["the sales figures for EMEA", only("for DACH"), "the sales figures for DACH"],
    ["revenue by region", only("excluding DACH"), "revenue by region excluding DACH"],
    ["revenue by region", only("but not DACH"), "revenue by region excluding DACH"],
  ])("%s, %o: another part of the figures", (asked, what, whole) => {
    expect(varied(asked, what, true)).toBe(whole);
  });

  it.each([
    [
      "What does the travel policy say about hotels?",
      other("flights"),
      "What does the travel policy say about flights?",
    ],
    [
      "Who is responsible for the AI strategy?",
      other("for the data platform"),
      "Who is responsible for the data platform?",
    ],
    ["What did the AI Strategy 2024 say?", other("for 2026"), "What did the AI Strategy 2026 say?"],
  ])("%s, %o: another thing that documents tell", (asked, what, whole) => {
    expect(varied(asked, what, false)).toBe(whole);
  });

  it.each([
    ["Compare 2023 and 2024", other("in 2025"), true],
    ["revenue of Foresight in Norway", other("Sweden"), true],
    ["What was the revenue by region?", other("utilities"), true],
    ["What are the goals of the AI strategy?", other("the risks"), false],
    ["How many days off do employees get?", other("managers"), false],
    ["What does the policy say about hotels?", other("by country"), false],
    ["What does the policy say about hotels?", only("excluding DACH"), false],
  ])("%s, %o: nobody can tell what is meant", (asked, what, figures) => {
    expect(varied(asked, what, figures)).toBeUndefined();
  });

  it("reads whatever it is given in time", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400 }),
        fc.string({ maxLength: 80 }),
        fc.boolean(),
        (asked, what, of) => {
          varied(asked, other(what), of);
        },
      ),
    );
    for (const asked of [
      "for a ".repeat(100_000),
      `in ${"a".repeat(100_000)}`,
      `for ${"a ".repeat(100_000)}`,
    ])
      expect(varied(asked, other("for b"), true)?.length ?? 0).toBeLessThan(3_000);
  });
});
