import { describe, expect, it } from "vitest";

import type { TextLine } from "./pdf-text.ts";
import { measureStyle, toPage } from "./pdf-paragraphs.ts";
import { stripRunningHeads } from "./pdf-running-heads.ts";

const LENGTH = 1_000_000;
const line = (text: string, at = 0): TextLine => ({
  text,
  cells: 1,
  x: 50,
  right: 500,
  y: 800 - at * 12,
  size: 10,
});

// At this length what takes quadratic time never ends, on any machine.
describe("lines of a PDF are read in linear time", () => {
  it.each([
    ["a word", "a".repeat(LENGTH)],
    ["a word that is broken", `${"a".repeat(LENGTH)}-`],
    ["hyphens", "-".repeat(LENGTH)],
    ["words of one letter with hyphens", "a-".repeat(LENGTH / 2)],
  ])("%s", (_what, text) => {
    const lines = [line(text), line("goes on", 1)];
    const page = toPage(lines, measureStyle([lines]), 1, undefined);
    expect(page.text.length).toBeGreaterThan(LENGTH / 2);
  });

  it("many that are one paragraph", () => {
    const lines = Array.from({ length: 100_000 }, (_, at) =>
      line("a long run of words that goes on and on-", at),
    );
    expect(toPage(lines, measureStyle([lines]), 1, undefined).text.split("\n")).toHaveLength(1);
  });

  it.each([
    `1${" ".repeat(LENGTH)}x`,
    `page${" ".repeat(LENGTH)}x`,
    "1 ".repeat(LENGTH / 2),
    `${"1".repeat(LENGTH)}x`,
  ])("a running head", (text) => {
    expect(stripRunningHeads([[line(text)], [line(text)]]).labels).toEqual([undefined, undefined]);
  });
});

it("takes the broken end of a line for no word, and what stands before its hyphen for one", () => {
  const lines = [line("A well-known deci-"), line("sion in the long-term-", 1)];
  expect([...measureStyle([lines]).vocabulary]).toEqual(["a", "well-known", "sion", "in", "the", "long"]);
});
