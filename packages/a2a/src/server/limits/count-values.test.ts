import * as fc from "fast-check";
import { expect, it } from "vitest";

import { countValues } from "./count-values.ts";

const encoder = new TextEncoder();
const counted = (text: string): number => countValues(encoder.encode(text));

it("tells a body of many values from one of much text", () => {
  expect(counted(`[${"{},".repeat(1_000)}0]`)).toBe(2_001);
  expect(counted(`[${"0,".repeat(1_000)}0]`)).toBe(1_001);
  expect(counted("[".repeat(1_000))).toBe(1_000);
  expect(counted(JSON.stringify({ text: 'a,[{"b\\",'.repeat(1_000) }))).toBe(1);
});

it("counts each value about once, and none that stands in a text", () => {
  const there = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? Object.values(value).reduce((sum: number, entry) => sum + there(entry), 1)
      : 1;
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      const values = there(JSON.parse(json));
      // A comma stands before all but the first of a list, and each list has an opening of its own.
      expect(counted(json)).toBeGreaterThanOrEqual((values - 1) / 2);
      expect(counted(json)).toBeLessThanOrEqual(2 * values);
    }),
  );
});
