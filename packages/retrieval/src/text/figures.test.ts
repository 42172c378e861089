import { describe, expect, it } from "vitest";

import { findFigures } from "./figures.ts";

const values = (text: string): number[][] => findFigures(text).map((figure) => [...figure.values]);

describe("findFigures", () => {
  it("reads groups, decimals, scales and words; leaves dates and names alone", () => {
    expect(values("1,234.5 and 1 200 and 3,5 and 12 %")).toEqual([[1234.5], [1200], [3.5], [12]]);
    expect(values("EUR 4.2 million, 3k, two sites")).toEqual([[4.2, 4_200_000], [3, 3000], [2]]);
    expect(values("1.234.567,5")).toEqual([[1_234_567.5]]);
    expect(values("on 1 March 2025 the NX200 got v2, ISO9001")).toEqual([]);
    expect(values("-4 degrees")).toEqual([[-4]]);
  });
});
