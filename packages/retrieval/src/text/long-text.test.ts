import { describe, expect, it } from "vitest";

import { findDates } from "./dates.ts";
import { findFigures } from "./figures.ts";

const long = (piece: string): string => piece.repeat(Math.ceil(1_000_000 / piece.length));

// At this length what takes quadratic time never ends, on any machine.
describe("is read in linear time", () => {
  it("dates", () => {
    expect(findDates("2024-01-02 ".repeat(90_000))).toHaveLength(90_000);
    expect(findDates(long("2024-01-"))).toHaveLength(125_000);
    for (const piece of ["1 January ", "1.1.", " "]) expect(findDates(long(piece))).toEqual([]);
  });

  it.each([
    ["2024-01-02 1,000 ", 58_824],
    ["1,000", 2],
    ["1 000 ", 166_667],
    ["1.", 0],
    ["two million ", 83_334],
  ])("figures: %j", (piece, count) => {
    expect(findFigures(long(piece))).toHaveLength(count);
  });
});
