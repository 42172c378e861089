import * as fc from "fast-check";
import { expect, it } from "vitest";

import { MAX_JSON_KEYS, weighJson } from "./weigh-json.ts";

const encoder = new TextEncoder();
const counted = (text: string): number => weighJson(encoder.encode(text)).values;

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

it("counts the keys that differ, in a body that may hold too many of them", () => {
  const keysOf = (entries: readonly (readonly [string, unknown])[]): number =>
    weighJson(
      encoder.encode(
        JSON.stringify({
          filler: "x".repeat(5 * MAX_JSON_KEYS),
          entries: entries.map((entry) => Object.fromEntries([entry])),
        }),
      ),
    ).keys;
  // The keys around them are two.
  expect(keysOf(Array.from({ length: 20_000 }, (_, at) => [`k${at % 7}`, 1] as const))).toBe(7 + 2);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 20 }),
      fc.jsonValue({ maxDepth: 0 }),
      (keys, value) => {
        expect(keysOf(keys.map((key) => [`-${key}`, value] as const))).toBe(keys.length + 2);
      },
    ),
  );
  const many = Array.from({ length: MAX_JSON_KEYS + 100 }, (_, at) => [`k${at}`, ""] as const);
  expect(keysOf(many)).toBe(MAX_JSON_KEYS + 1);
  // A body too short for it is not looked at.
  expect(weighJson(encoder.encode('{"a":1}'))).toEqual({ values: 1, keys: 0 });
});
