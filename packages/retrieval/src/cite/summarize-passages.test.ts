import { describe, expect, it } from "vitest";

import { sampleCitation } from "../testing/sample-citation.ts";
import { formatSources } from "./format-sources.ts";
import { summarizePassages } from "./summarize-passages.ts";

const passages = [
  {
    id: "1",
    quote:
      "AI strategy\n\nThe AI strategy rests on three programmes until 2027. It was approved in May. Region | 2024 | 2025\nThe canteen serves soup at noon every day of the week.",
  },
  {
    id: "2",
    quote:
      "- The AI strategy rests on three programmes until 2027.\n- Norrvik spends EUR 4.2 million on its AI strategy in 2025.",
  },
  {
    id: "3",
    quote: "and the rest of a sentence goes on here. See section 4 for the strategy of the group as a whole.",
  },
];

describe("summarizePassages", () => {
  it("quotes sentences that stand on their own, those about the focus and with figures first", () => {
    const summary = summarizePassages(passages, "What is the AI strategy and what does it cost?", {
      maxSentences: 2,
    });
    expect(summary.map((sentence) => sentence.text).sort()).toEqual([
      "Norrvik spends EUR 4.2 million on its AI strategy in 2025.",
      "The AI strategy rests on three programmes until 2027.",
    ]);
    for (const { text, citationIds } of summary)
      expect(passages.find((passage) => passage.id === citationIds[0])?.quote).toContain(text);
  });

  it("says a thing once and cites everyone who says it", () => {
    const summary = summarizePassages(passages, "AI strategy programmes", { maxSentences: 9 });
    const twice = summary.filter((sentence) => sentence.text.includes("three programmes"));
    expect(twice).toEqual([
      { text: "The AI strategy rests on three programmes until 2027.", citationIds: ["1", "2"] },
    ]);
    const all = summary.map((sentence) => sentence.text).join("\n");
    for (const debris of ["It was approved", "Region", "and the rest", "See section", "AI strategy\n\n"])
      expect(all).not.toContain(debris);
  });

  it("keeps sentences apart that differ in a figure only", () => {
    const summary = summarizePassages(
      [
        { id: "1", quote: "Every model is reviewed every 12 months by the board." },
        { id: "2", quote: "Every model is reviewed every 24 months by the board." },
      ],
      "model review",
    );
    expect(summary.map((sentence) => sentence.citationIds)).toEqual([["1"], ["2"]]);
  });

  it("has nothing to say about nothing", () => {
    expect(summarizePassages([], "x")).toEqual([]);
    expect(summarizePassages([{ id: "1", quote: "Title only" }], "x")).toEqual([]);
  });
});

describe("formatSources", () => {
  it("names document and page as a person would look them up, once each", () => {
    expect(
      formatSources([
        sampleCitation("1", "a", { page: 11, pageLabel: "1" }),
        sampleCitation("2", "b", { page: 4 }),
        sampleCitation("3", "c", { page: 11, pageLabel: "1" }),
        sampleCitation("4", "d", {
          document: "Notes",
          source: "notes.md",
          section: "Risks",
          page: undefined as never,
        }),
      ]),
    ).toBe('[1][3] AI Policy, p. 1 (PDF page 11)\n[2] AI Policy, p. 4\n[4] Notes, "Risks"');
  });
});
