import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { detectDelimiter, hasHeader, readRecords } from "./dialect.ts";
import { detectEncoding } from "./encoding.ts";

describe("dialect", () => {
  const field = fc.string({ unit: fc.constantFrom("a", "1", " ", ",", ";", '"', "\n", "\r", "é") });
  const write = (records: readonly (readonly string[])[], delimiter: string): string =>
    records
      .map((record) => record.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
      .join("\r\n");

  it("reads back any quoted records", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        (records) => {
          expect(readRecords(write(records, ","), ",", 100)).toEqual(records);
        },
      ),
    );
  });

  it("finds the delimiter of regular records", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "b", "1", " "), minLength: 1 });
    fc.assert(
      fc.property(
        fc.constantFrom(",", ";", "\t", "|"),
        fc
          .integer({ min: 2, max: 6 })
          .chain((width) =>
            fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 8 }),
          ),
        (delimiter, records) => {
          const text = records.map((record) => record.join(delimiter)).join("\n");
          expect(detectDelimiter(text)).toBe(delimiter);
        },
      ),
    );
  });

  it("tells a header from data", () => {
    expect(hasHeader(["region", "2023", "2024"])).toBe(true);
    expect(hasHeader(["2023", "2024"])).toBe(true);
    expect(hasHeader(["1", "2"])).toBe(false);
    expect(hasHeader(["north", "1.5"])).toBe(false);
  });

  it.each([
    [["region", "01.2024", "02.2024"], [["N", "12,5", "7"]], true],
    [["region", "31.01.2024", "29.02.2024"], [["N", "12,5", ""]], true],
    [["region", "2024-01-01", "2024-02-01"], [["N", "12.5", "1,200"]], true],
    [["region", "01.2024", "02.2024"], [["N", "03.2024", "04.2024"]], false],
    [["north", "10.2024"], [["south", "11.5031"]], false],
    [["2024-01-01", "1.5"], [["2024-01-02", "2.5"]], false],
    [["2024-01-01", "2024-01-08", "1.5"], [["2024-01-02", "2024-01-09", "2.5"]], false],
    [["01.2024", "1.5"], [["02.2024", "2.5"]], false],
    [["region", "01.2024", "02.2024"], [], false],
  ])("takes dates over columns of numbers for names: %j", (first, next, expected) => {
    expect(hasHeader(first, next)).toBe(expected);
  });

  it("knows text by its bytes, cut anywhere", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        const bytes = new TextEncoder().encode(text.replaceAll("\0", ""));
        expect(detectEncoding(bytes.subarray(0, bytes.length - 1))).toBe("utf-8");
      }),
    );
    expect(detectEncoding(Buffer.from([0, 1, 2, 3, 0, 0, 5]))).toBeUndefined();
  });
});
