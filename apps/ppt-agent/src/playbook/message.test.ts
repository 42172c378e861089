import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { announced, asTarget, hasNumber, shortMessageOf, standsAlone, titlesOf } from "./message.ts";

const of = (text: string) => shortMessageOf({ text, citations: [] });

describe("a message", () => {
  it.each([
    [
      "Sales rose from EUR 4.65 million in 2024 to EUR 11.39 million in 2025.",
      "Sales rose to EUR 11.39 million in 2025",
    ],
    ["Lead time rose from 31 to 45 hours, more than in any year.", "Lead time rose to 45 hours"],
    ["Lead time rose from 31 hours to 60 hours.", "Lead time rose to 60 hours"],
    // From a year to another is a time and not a change.
    ["Revenue rose 38.6 % from 2023 to 2025.", "Revenue rose 38.6 % from 2023 to 2025"],
    ["Trains run from Leeds to York.", "Trains run from Leeds to York"],
  ])("of %j is %j", (text, message) => {
    expect(of(text)).toBe(message);
  });

  it.each([
    ["There were 4 accidents in 2025.", true],
    ["In 2025 there were 4 accidents.", true],
    ["There it cost EUR 4.5 million.", false],
    ["In 2025 it cost EUR 4.5 million.", false],
  ])("of %j stands without the sentence before: %j", (text, stands) => {
    expect(standsAlone({ text, citations: [] })).toBe(stands);
  });

  it("has no number that its statement has not", () => {
    const word = fc.constantFrom(
      "from",
      "to",
      "EUR 4.5 million",
      "in 2024",
      "31",
      "hours",
      "rose",
      ",",
      "12 %",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join(" ");
        const known = new Set(text.match(/\d[\d.]*/g));
        expect((of(text).match(/\d[\d.]*/g) ?? []).every((number) => known.has(number))).toBe(true);
      }),
    );
  });

  it("is no title without a number, nor one without its heading where the number is no figure", () => {
    const titles = (text: string) => titlesOf("Status", { text, citations: [] });
    expect(titles("The first keeps values as they came.")).toEqual([]);
    expect(titles("Twelve of 41 sources run.")).toEqual(["Status: Twelve of 41 sources run"]);
    expect(titles("Foresight 2 came in 2025.")).toEqual([]);
    expect(titles("Status costs are EUR 2 million.")).toEqual(["Status costs are EUR 2 million"]);
  });

  it("is a title under its heading, and without it where there is less room", () => {
    expect(titlesOf("Results", { text: "Sales rose 12 %.", citations: [] })).toEqual([
      "Results: Sales rose 12 %",
      "Sales rose 12 %",
    ]);
    expect(titlesOf("Results", { text: "word ".repeat(20).trim(), citations: [] })).toEqual([]);
  });
});

it.each([
  ["The plant keeps ISO 27001", false],
  ["We sell the Model 500 again. Model 500 is new", true],
  ["We sell the Model 500 of 640 in the north", true],
  ["Customers 640 in all", true],
  ["Foresight 2 came in 2025", false],
])("a number in a name counts nothing: %j", (text, counts) => {
  expect(hasNumber(text)).toBe(counts);
});

describe("a short form of what is to come", () => {
  const said = { text: "Sales will reach EUR 9 million in 2028.", citations: [] };

  it("is told as a target where it does not say so itself", () => {
    expect(asTarget("Sales grow to EUR 9 million in 2028", said)).toBe(
      "Target 2028: Sales grow to EUR 9 million",
    );
    expect(asTarget("Sales will grow by 2028", said)).toBe("Sales will grow by 2028");
    expect(asTarget("Sales grow", said)).toBe("Sales grow");
    expect(asTarget("Sales grew in 2025", { text: "Sales grew in 2025.", citations: [] })).toBe(
      "Sales grew in 2025",
    );
  });
});

it("what a sentence announces stands without it", () => {
  expect(announced("The plan has one ambition: water for all.")).toBe("One ambition: water for all");
  expect(announced("The plan has three parts of sorts: one, two.")).toBeUndefined();
  expect(announced("We invest: a lot.")).toBeUndefined();
});
