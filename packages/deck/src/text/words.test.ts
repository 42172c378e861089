import * as fc from "fast-check";
import { expect, test } from "vitest";

import { capWidth, countWords, roomInWords } from "./words.ts";

test("plain text takes the room of its words", () => {
  const text = "Predictive calibration is extended to every sensor line";
  expect(roomInWords(text)).toBe(countWords(text));
  expect(capWidth(text, 8)).toBe(text);
});

test("a sentence without spaces is not one word", () => {
  expect(roomInWords("水質センサーの校正計画をすべての地域へ拡大する")).toBe(5);
});

test("a cut text takes no more than the room it was cut to, and breaks no character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      (text, max) => {
        const cut = capWidth(text.replaceAll(/\s/g, "x"), max);
        expect(roomInWords(cut)).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(true);
      },
    ),
  );
});
