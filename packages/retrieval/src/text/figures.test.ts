import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { figureStands, findFigures } from "./figures.ts";

const values = (text: string): number[][] => findFigures(text).map((figure) => [...figure.values]);
const stands = (said: string, quote: string): boolean =>
  findFigures(said).every((figure) => figureStands(figure, quote));

describe("findFigures", () => {
  it("reads groups, decimals, scales and words; leaves dates and names alone", () => {
    expect(values("1,234.5 and 1 200 and 3,5 and 12 %")).toEqual([[1234.5], [1200], [3.5], [12]]);
    expect(values("EUR 4.2 million, 3k, two sites")).toEqual([[4.2, 4_200_000], [3, 3000], [2]]);
    expect(values("1.234.567,5")).toEqual([[1_234_567.5]]);
    expect(values("on 1 March 2025 the NX200 got v2, ISO9001")).toEqual([]);
    expect(values("-4 degrees")).toEqual([[-4]]);
  });
});

describe("figureStands", () => {
  it("compares numbers, not digits", () => {
    expect(stands("1200 units", "1,200 units")).toBe(true);
    expect(stands("4.2 million", "4,213,000 euros")).toBe(true);
    expect(stands("4.2 million", "4,313,000 euros")).toBe(false);
    expect(stands("15 %", "1.5 %")).toBe(false);
    expect(stands("three sites", "3 sites")).toBe(true);
    expect(stands("42", "41")).toBe(false);
    expect(stands("12 million", "every 12 months")).toBe(false);
    expect(stands("EUR 4.2 million", "Revenue (EUR million) | 4.2")).toBe(true);
  });

  it("holds for every number against its usual spellings, and never for another number", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 9_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        (number, offset) => {
          const grouped = number.toLocaleString("en-US");
          expect(stands(`${number} units`, `${grouped} units`)).toBe(true);
          expect(stands(`${grouped} units`, `${number} units`)).toBe(true);
          expect(stands(`${number} units`, `${number + offset} units`)).toBe(false);
        },
      ),
    );
  });
});
