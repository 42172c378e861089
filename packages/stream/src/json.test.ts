import { expect, it } from "vitest";

import { isTooDeep, MAX_JSON_DEPTH } from "./json.ts";

const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

it("tells what is nested too deep, however deep it is", () => {
  expect(isTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
  expect(isTooDeep(nested(MAX_JSON_DEPTH + 1))).toBe(true);
  expect(isTooDeep({ a: { b: nested(100_000) } })).toBe(true);
  expect(isTooDeep({ a: [1, { b: "x" }], c: null }, 3)).toBe(false);
  expect(isTooDeep({ a: [1, { b: "x" }], c: null }, 2)).toBe(true);
});
