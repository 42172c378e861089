import * as fc from "fast-check";
import { expect, it } from "vitest";

import { hasManyValues, MAX_JSON_VALUES } from "./many-values.ts";

const encoder = new TextEncoder();
const holds = (text: string, max?: number): boolean => hasManyValues(encoder.encode(text), max);

it("tells a body of many values from one of much text", () => {
  expect(holds(`[${"{},".repeat(MAX_JSON_VALUES)}0]`)).toBe(true);
  expect(holds(`[${"0,".repeat(MAX_JSON_VALUES)}0]`)).toBe(true);
  expect(holds("[".repeat(2 * MAX_JSON_VALUES))).toBe(true);
  const text = JSON.stringify({ text: 'a,[{"b\\",'.repeat(MAX_JSON_VALUES) });
  expect(holds(text)).toBe(false);
});

it("counts each value once, and none that stands in a text", () => {
  const count = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? 1 + Object.values(value).reduce((sum: number, entry) => sum + count(entry), 0)
      : 1;
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.integer({ min: 1, max: 20 }), (json, max) => {
      const there = count(JSON.parse(json));
      const many = holds(json, max);
      // A comma stands before all but the first of a list, and each list has an opening of its own.
      expect(many && there <= max / 2).toBe(false);
      expect(!many && there > 2 * max + 2).toBe(false);
    }),
  );
});
