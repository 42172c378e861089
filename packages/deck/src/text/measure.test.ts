import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { countLines, longestWord, textWidth } from "./measure.ts";

describe("textWidth", () => {
  test("is the sum of Carlito's advance widths", () => {
    // H 1276, i 470 units of 2048.
    expect(textWidth("Hi", 20)).toBeCloseTo(((1276 + 470) / 2048) * 20, 5);
  });

  test("bold is wider, ideographs are full width, combining marks take none", () => {
    expect(textWidth("Revenue", 20, true)).toBeGreaterThan(textWidth("Revenue", 20));
    expect(textWidth("水", 20)).toBeGreaterThanOrEqual(20);
    expect(textWidth("e\u0301\u0323", 20)).toBeLessThan(textWidth("ee", 20));
  });
});

describe("countLines", () => {
  test("breaks at spaces and after hyphens, and cuts a word that is too long", () => {
    const width = textWidth("water-quality", 20) + 1;
    expect(countLines([{ text: "water quality" }], 20, width)).toBe(1);
    expect(countLines([{ text: "water quality sensors" }], 20, width)).toBe(2);
    expect(countLines([{ text: "water-quality sensors" }], 20, width)).toBe(2);
    expect(countLines([{ text: "x".repeat(100) }], 20, width)).toBeGreaterThan(5);
  });

  test("never more lines in more room, nor fewer for more text", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 120 }),
        fc.string({ maxLength: 20 }),
        fc.integer({ min: 60, max: 500 }),
        (text, more, width) => {
          const lines = countLines([{ text }], 18, width);
          expect(countLines([{ text }], 18, width + 50)).toBeLessThanOrEqual(lines);
          expect(countLines([{ text: `${text} ${more}` }], 18, width)).toBeGreaterThanOrEqual(lines);
          expect(lines * width).toBeGreaterThanOrEqual(longestWord([{ text }], 18) - width);
        },
      ),
    );
  });
});
