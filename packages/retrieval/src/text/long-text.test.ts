import { describe, expect, it } from "vitest";

import { answerSentences } from "../cite/answer-sentences.ts";
import { findDates } from "./dates.ts";
import { findFigures } from "./figures.ts";
import { splitSentences } from "./sentences.ts";

const long = (piece: string): string => piece.repeat(Math.ceil(1_000_000 / piece.length));

// At this length what takes quadratic time never ends, on any machine.
describe("is read in linear time", () => {
  it("dates", () => {
    expect(findDates("2024-01-02 ".repeat(90_000))).toHaveLength(90_000);
    expect(findDates(long("2024-01-"))).toHaveLength(125_000);
    for (const piece of ["1 January ", "1.1.", " "]) expect(findDates(long(piece))).toEqual([]);
  });

  it.each(["2024-01-02 1,000 ", "1,000", "1 000 ", "1.", "two million "])("figures: %j", (piece) => {
    expect(findFigures(long(piece)).length).toBeGreaterThanOrEqual(0);
  });

  it.each([". ", "Ab. ", ".", '."', "a.", " "])("sentences: %j", (piece) => {
    expect(splitSentences(long(piece)).length).toBeLessThanOrEqual(1_000_000);
  });

  it.each([". ", "Ab [1]. ", "! [", "[a ,", "[a", " ", "|  ", "```\n", "sources\n", '."'])(
    "an answer: %j",
    (piece) => {
      expect(answerSentences(`${long(piece)}x`).length).toBeLessThanOrEqual(1_000_000);
    },
  );
});
