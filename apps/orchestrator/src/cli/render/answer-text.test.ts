import type { Citation } from "@troupe/stream";
import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";

import { answerText, sourcesText } from "./answer-text.ts";

describe("answerText", () => {
  it("leaves out the marks of charts, and lines that hold nothing else", () => {
    const content =
      "## Revenue by region [chart-1]\n\n| region | revenue |\n| --- | --- |\n| North | 240 |\n\n[chart-1]\n\nNorth leads [chart-1][2].\n\n### [chart-2]\n\nDone [chart-10].";
    expect(answerText(content)).toBe(
      "## Revenue by region\n\n| region | revenue |\n| --- | --- |\n| North | 240 |\n\nNorth leads[2].\n\nDone.",
    );
  });

  it("has no mark left and every other word, whatever stands around it", () => {
    const words = array(constantFrom("North", "240", "[1]", "[chart-3]", "\n", "## ", "- ", "| a |"));
    assert(
      property(words, (parts) => {
        const shown = answerText(parts.join(" "));
        expect(shown).not.toContain("[chart-");
        for (const word of ["North", "240", "[1]", "| a |"])
          expect(shown.split(word).length - 1).toBe(parts.filter((part) => part === word).length);
      }),
    );
  });
});

const cite = (id: string, document: string, place: Partial<Citation> = {}): Citation => ({
  id,
  document,
  source: "x.md",
  collection: "c",
  chunkId: "k",
  quote: "q",
  start: 0,
  end: 1,
  ...place,
});

describe("sourcesText", () => {
  it("names a document once with the places it is cited at, and nothing the answer does not cite", () => {
    const citations = [
      cite("1", "Travel policy", { section: "Hotels" }),
      cite("2", "Report", { page: 4, pageLabel: "iv" }),
      cite("3", "Travel policy", { section: "Hotels" }),
      cite("4", "Travel policy", { section: "Flights" }),
      cite("5", "Report", { page: 4, pageLabel: "iv" }),
      cite("6", "Notes"),
      cite("7", "Other"),
    ];
    expect(sourcesText("[1] [2] [3] [4] [5] [6]", citations)).toBe(
      [
        "  Travel policy",
        "    [1] [3] § Hotels",
        "    [4] § Flights",
        "  [2] [5] Report, p. iv (PDF page 4)",
        "  [6] Notes",
      ].join("\n"),
    );
    expect(sourcesText("none", citations)).toBe("");
  });

  it("lists a cited query result by its file and query", () => {
    const table = {
      id: "result-1a",
      columns: ["n"],
      query: "SELECT sum(n)\n  FROM sales",
      source: "sales.csv",
    };
    const tables = [{ ...table, number: "2" }, table, { ...table, number: "3" }];
    expect(sourcesText("[1, 2]", [cite("1", "Notes")], tables)).toBe(
      "  [1] Notes\n  [2] sales.csv, query: SELECT sum(n) FROM sales",
    );
  });
});

// At this length what takes quadratic time never ends, on any machine.
it.each([" ", "\t", " [chart-", "[chart-1"])("is linear in the length of an answer: %j", (piece) => {
  expect(answerText(`a${piece.repeat(500_000)}b`)).toMatch(/b$/);
});
