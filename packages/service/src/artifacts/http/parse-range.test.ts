import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseRange } from "./parse-range.ts";

describe("parseRange", () => {
  it.each([
    [undefined, "whole"],
    ["bytes=0-", { start: 0, end: 10 }],
    ["bytes=2-4", { start: 2, end: 5 }],
    ["BYTES= 2-4 ", { start: 2, end: 5 }],
    ["bytes=9-9", { start: 9, end: 10 }],
    ["bytes=4-999999999999999999999999", { start: 4, end: 10 }],
    ["bytes=-3", { start: 7, end: 10 }],
    ["bytes=-30", { start: 0, end: 10 }],
    ["bytes=0-1,4-5", "whole"],
    ["lines=1-2", "whole"],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=5-2", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=-", "unsatisfiable"],
    ["bytes=", "unsatisfiable"],
    ["bytes=a-b", "unsatisfiable"],
    ["bytes=1.5-2", "unsatisfiable"],
    ["bytes=0x1-2", "unsatisfiable"],
    ["bytes=--1", "unsatisfiable"],
  ] as const)("reads %j of 10 bytes as %j", (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  it("has no range of nothing", () => {
    for (const header of ["bytes=0-", "bytes=-1", "bytes=0-0"])
      expect(parseRange(header, 0)).toBe("unsatisfiable");
  });

  it("answers exactly the bytes that are asked for and there", () => {
    const size = fc.integer({ min: 1, max: 50 });
    const bound = fc.option(fc.nat({ max: 60 }), { nil: undefined });
    fc.assert(
      fc.property(size, bound, bound, (bytes, first, last) => {
        const all = Array.from({ length: bytes }, (_, at) => at);
        const wanted =
          first === undefined
            ? all.slice(Math.max(0, bytes - (last ?? 0)))
            : all.filter((at) => at >= first && (last === undefined || at <= last));
        const found = parseRange(`bytes=${first ?? ""}-${last ?? ""}`, bytes);
        const given = typeof found === "string" ? [] : all.slice(found.start, found.end);
        expect(given).toEqual(wanted);
        expect(found === "unsatisfiable").toBe(wanted.length === 0);
      }),
    );
  });

  it("never goes outside the file, whatever is sent", () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[-0-9, .e]{0,30}$/));
    fc.assert(
      fc.property(text, fc.nat({ max: 1_000 }), (header, size) => {
        const found = parseRange(header, size);
        const { start, end } = typeof found === "string" ? { start: 0, end: size + 1 } : found;
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(typeof found === "string" ? size + 1 : size);
        expect(Number.isInteger(start) && Number.isInteger(end)).toBe(true);
      }),
    );
  });
});
