import * as fc from "fast-check";
import { expect, it } from "vitest";

import { markdownTable, readTable } from "./markdown-table.ts";

it("reads the rows between a first line and what follows them", () => {
  const text = "[chart-1] bar chart\nRegion | Revenue (EUR)\nA \\| B | 1234.567\nC | 2\nand 3 more points\n";
  expect(readTable(text)).toEqual({
    header: ["Region", "Revenue (EUR)"],
    rows: [
      ["A \\| B", "1234.567"],
      ["C", "2"],
    ],
  });
  expect(readTable("result-1: 0 rows")).toBeUndefined();
});

it("writes a figure alone as a figure", () => {
  const table = readTable("result-1: 1 row\nrevenue_eur\n72464356.31", 1);
  expect(table && markdownTable(table)).toBe("| Revenue (EUR) |\n| --- |\n| 72,464,356.31 |");
});

it("writes figures as they are read and years as they are", () => {
  const rows = Array.from({ length: 13 }, (_, i) => [`c${i}`, "2024", "1234567.891"]);
  const lines = markdownTable({ header: ["city", "year", "share_percent"], rows }).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "| City | Year | Share (%) |",
    "| --- | --- | --- |",
    "| c0 | 2024 | 1,234,567.89 |",
  ]);
  expect(lines).toHaveLength(15);
});

it("writes periods and units as a reader does", () => {
  const table = (header: readonly string[], row: readonly string[]): string =>
    markdownTable({ header, rows: [row] });
  expect(table(["quarter", "revenue_eur_2024"], ["2024-04-01", "-0.126"])).toBe(
    "| Quarter | Revenue 2024 (EUR) |\n| --- | --- |\n| 2024-Q2 | -0.13 |",
  );
  expect(table(["year", "n"], ["2024-01-01", ""])).toContain("| 2024 |  |");
  expect(table(["month", "n"], ["2024-03-01", "x"])).toContain("| 2024-03 | x |");
});

it("keeps each row on a line with as many cells as the header, whatever they hold", () => {
  const cell = fc
    .string({ unit: "binary", maxLength: 12 })
    .map((text) => text.replaceAll(/[\p{Cc}|\u2028\u2029]/gu, " "));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 9 }), (rows) => {
      const table = markdownTable({ header: ["a", "b"], rows });
      expect(table.split("\n")).toHaveLength(rows.length + 2);
    }),
  );
});
