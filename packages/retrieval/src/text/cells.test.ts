import { describe, expect, it } from "vitest";

import { cellsOf, hasCells } from "./cells.ts";

describe("cellsOf", () => {
  it.each([
    ["a | b | c", ["a", "b", "c"]],
    ["Total | | 14.4 |", ["Total", "", "14.4", ""]],
    ["a|b | c", ["a|b", "c"]],
  ])("of %j are %j", (line, cells) => {
    expect(hasCells(line)).toBe(true);
    expect(cellsOf(line)).toEqual(cells);
  });
});
