import { expect, it } from "vitest";

import { stripMarks } from "./strip-marks.ts";

it("takes out citation marks and footnotes, and nothing else in brackets", () => {
  const text =
    "A is 1 [3]. B is 2.[1][2, 3] C is 3 [^note], see [the page](https://a.example) [x] and [chart-1].";
  expect(stripMarks(text)).toBe("A is 1. B is 2. C is 3, see [the page](https://a.example) [x] and.");
});

it("keeps of a list of sources what it quotes", () => {
  const list =
    "[1] Travel policy, p. 4: “Trains come first.”\n[2]: Handbook, p. 12\n[^a]: See page 9.\nA is 1.";
  expect(stripMarks(list).trim().split(/\n+/)).toEqual(["“Trains come first.”", "A is 1."]);
});

it.each(["[", "[1", "[1,", "[^", "“", " "])("is linear in the length of a text: %j", (piece) => {
  expect(stripMarks(`a${piece.repeat(300_000)}b`)).toMatch(/b$/);
});
