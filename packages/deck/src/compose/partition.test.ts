import * as fc from "fast-check";
import { expect, test } from "vitest";

import { partition } from "./partition.ts";

test("keeps every item in order, and every bound unless one item alone breaks it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 30 })),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 7 }),
      (items, weight, count) => {
        const runs = partition(items, (n) => n, weight, count);
        expect(runs.flat()).toEqual(items);
        expect(runs.every((run) => run.length <= count)).toBe(true);
        const heavy = runs.filter((run) => run.length > 1 && run.reduce((a, b) => a + b, 0) > weight);
        expect(heavy).toEqual([]);
      },
    ),
  );
});

test("evens runs out instead of leaving one item over", () => {
  expect(partition([5, 5, 5, 5, 5, 5, 5], (n) => n, 30, 6)).toEqual([
    [5, 5, 5, 5],
    [5, 5, 5],
  ]);
});
