import { expect, it } from "vitest";

import { stripMarks } from "./strip-marks.ts";

it("takes out citation marks and footnotes, and nothing else in brackets", () => {
  const text =
    "A is 1 [3]. B is 2.[1][2, 3] C is 3 [^note], see [the page](https://a.example) [x] and [chart-1]. D is 4 [Source 3].";
  expect(stripMarks(text)).toBe("A is 1. B is 2. C is 3, see [the page](https://a.example) [x] and. D is 4.");
});

it("keeps of a list of sources what it quotes", () => {
  const list =
    "[1] Travel policy, p. 4: “Trains come first.”\n[2]: Handbook, p. 12\n[^a]: See page 9.\nA is 1.";
  expect(stripMarks(list).trim().split(/\n+/)).toEqual(["“Trains come first.”", "A is 1."]);
});

it.each([
  ["[1] Revenue was EUR 18.7 million.", " Revenue was EUR 18.7 million."],
  ["[1] Revenue was EUR 18.7 million", " Revenue was EUR 18.7 million"],
  ["- [1] The plant was closed.", "- The plant was closed."],
])("reads a line that begins with a mark: %s", (line, expected) => {
  expect(stripMarks(line)).toBe(expected);
});

it.each([
  "[2] Annual Report 2025",
  "- [2] Handbook",
  "[2] Annual Report 2025, p. 12.",
  "[2] https://a.example/12.",
  "[2] report-12.pdf",
  "[2]: Revenue was EUR 18.7 million.",
])("drops the name of a source: %s", (line) => {
  expect(stripMarks(line).trim()).toBe("");
});

it("drops what a list of sources has below its heading, up to the next paragraph", () => {
  const list =
    "A is 1.\n\n## Sources:\n\n[1] Ek et al. Report 12.\n[2] Ray. Report 13.\n\nB is 2.\n[1] C is 3.";
  expect(stripMarks(list).trim().split(/\n+/)).toEqual(["A is 1.", "## Sources:", "B is 2.", " C is 3."]);
});

it.each(["[", "[1", "[1,", "[^", "“", " "])("is linear in the length of a text: %j", (piece) => {
  expect(stripMarks(`a${piece.repeat(300_000)}b`)).toMatch(/b$/);
});
