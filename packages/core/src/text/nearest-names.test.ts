import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { clip, firstLine } from "./clip.ts";
import { editDistance, nearestNames, suggestNames } from "./nearest-names.ts";

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["abc", "", 3],
    ["kitten", "sitting", 3],
    ["rag-agent", "rag-agnet", 2],
  ])("of %j and %j", (a, b, expected) => {
    expect(editDistance(a, b)).toBe(expected);
  });

  it("is a metric", () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});

describe("nearestNames", () => {
  const agents = ["rag-agent", "ppt-agent", "data-agent"];
  it.each([
    ["rag", ["rag-agent"]],
    ["RAG_Agent", ["rag-agent", "ppt-agent"]],
    ["dta-agent", ["data-agent", "rag-agent"]],
    ["weather", []],
  ])("of %j", (name, expected) => {
    expect(nearestNames(name, agents).slice(0, expected.length)).toEqual(expected);
    expect(nearestNames(name, agents).length > 0).toBe(expected.length > 0);
  });

  it("is put into words, or all names are", () => {
    expect(suggestNames("rag", agents)).toBe(' Did you mean "rag-agent"?');
    expect(suggestNames("weather", agents)).toBe(" Known: rag-agent, ppt-agent, data-agent.");
    expect(suggestNames("weather", [])).toBe("");
  });
});

describe("clip", () => {
  it("never cuts a character in half and never exceeds the length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        expect(clip(text, max).length).toBeLessThanOrEqual(max);
        expect(clip(text, max).isWellFormed()).toBe(true);
      }),
    );
  });

  it("finds the first line that says something", () => {
    expect(firstLine("\n  \n  Found 3 passages.  \nmore", 100)).toBe("Found 3 passages.");
    expect(firstLine(" \n ", 100)).toBe("");
  });
});
