import * as fc from "fast-check";
import { expect, it } from "vitest";

import { fromColumn, toColumn } from "./column.ts";

it("keeps every text as it is, also what a column cannot hold", () => {
  for (const odd of ["", "nul\0", "half \ud83d", "\u{10FFFF}", '\u{10FFFF}"x"', "ünï"])
    expect(fromColumn(toColumn(odd))).toBe(odd);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, two) => {
      expect(fromColumn(toColumn(one))).toBe(one);
      expect(toColumn(one) === toColumn(two)).toBe(one === two);
      expect(toColumn(one).isWellFormed() && !toColumn(one).includes("\0")).toBe(true);
    }),
    { numRuns: 50 },
  );
});
