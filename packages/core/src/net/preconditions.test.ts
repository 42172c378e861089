import { describe, expect, it } from "vitest";

import { isUnchanged, rangeHolds } from "./preconditions.ts";

const modifiedAt = Date.UTC(2026, 10, 21, 12, 0, 0, 750);
const now = { etag: '"abc"', modifiedAt };
const same = "Sat, 21 Nov 2026 12:00:00 GMT";
const before = "Sat, 21 Nov 2026 11:59:59 GMT";

describe("isUnchanged", () => {
  it.each([
    [{}, false],
    [{ "if-none-match": '"abc"' }, true],
    [{ "if-none-match": '"x", W/"abc"' }, true],
    [{ "if-none-match": "*" }, true],
    [{ "if-none-match": '"x"' }, false],
    [{ "if-none-match": "abc" }, false],
    [{ "if-none-match": '"x"', "if-modified-since": same }, false],
    [{ "if-modified-since": same }, true],
    [{ "if-modified-since": before }, false],
    [{ "if-modified-since": "yesterday" }, false],
  ])("by %j: %s", (headers, unchanged) => {
    expect(isUnchanged(headers, now)).toBe(unchanged);
  });
});

describe("rangeHolds", () => {
  it.each([
    [{}, true],
    [{ "if-range": '"abc"' }, true],
    [{ "if-range": 'W/"abc"' }, false],
    [{ "if-range": '"x"' }, false],
    [{ "if-range": same }, true],
    [{ "if-range": before }, false],
    [{ "if-range": "abc" }, false],
  ])("by %j: %s", (headers, holds) => {
    expect(rangeHolds(headers, now)).toBe(holds);
  });
});
