import { describe, expect, it } from "vitest";

import { asksSources, lengthAsked, sentencesAsked } from "./change.ts";

describe("sentencesAsked", () => {
  it.each([
    ["in one sentence", 1],
    ["in a single sentence, please", 1],
    ["make it two sentences", 2],
    ["as 3 bullet points", 3],
    ["in a sentence", 1],
    ["shorter", undefined],
    ["add a line", undefined],
    ["now make it 5 slides", undefined],
  ])("%s: %s", (change, sentences) => {
    expect(sentencesAsked(change)).toBe(sentences);
  });
});

describe("lengthAsked", () => {
  it.each([
    [[], { keep: 5, enough: true, exact: false }],
    [["shorter"], { keep: 2, enough: true, exact: false }],
    [["shorter", "make it blue", "even shorter"], { keep: 1, enough: true, exact: false }],
    [["shorter", "shorter", "shorter"], { keep: 1, enough: false, exact: false }],
    [["shorter", "in three sentences"], { keep: 3, enough: true, exact: true }],
    [["in one sentence", "shorter"], { keep: 1, enough: false, exact: true }],
  ] as const)("%o of five statements", (changes, length) => {
    expect(lengthAsked(changes, 5)).toEqual(length);
  });
});

it("tells who wants the sources from who wants a thing beside them", () => {
  expect(["and add the sources", "include citations, please"].map(asksSources)).toEqual([true, true]);
  expect(["add the sources of revenue", "the sources"].map(asksSources)).toEqual([false, false]);
});
