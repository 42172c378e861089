import type { ChartKind } from "@troupe/stream";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { withMissingPeriods } from "./missing-periods.ts";

const rowsOf = (labels: readonly string[], kind: ChartKind = "line") =>
  withMissingPeriods({
    v: 1,
    id: "chart-1",
    kind,
    title: "Sales",
    x: { field: "month", label: "Month", type: "date" },
    series: [{ field: "sales", label: "Sales", type: "number" }],
    rows: labels.map((month) => ({ month, sales: 1 })),
    provenance: { resultId: "r1", source: "sales.csv", query: "SELECT 1" },
  });
const labels = (given: readonly string[], kind?: ChartKind) => rowsOf(given, kind).map((row) => row["month"]);

test("a line has a row without values for each month that is missing", () => {
  expect(rowsOf(["2025-04-01", "2025-05-01", "2025-08-01"])).toEqual([
    { month: "2025-04-01", sales: 1 },
    { month: "2025-05-01", sales: 1 },
    { month: "2025-06-01" },
    { month: "2025-07-01" },
    { month: "2025-08-01", sales: 1 },
  ]);
});

test.each([
  ["2024-11 2024-12 2025-02", "2024-11 2024-12 2025-01 2025-02"],
  ["2024-Q3 2024-Q4 2025-Q2", "2024-Q3 2024-Q4 2025-Q1 2025-Q2"],
  ["2020-01-01 2021-01-01 2023-01-01", "2020-01-01 2021-01-01 2022-01-01 2023-01-01"],
  ["2024-Q1 2025-Q1 2026-Q1", "2024-Q1 2025-Q1 2026-Q1"],
  ["2024-01-03 2024-03-01", "2024-01-03 2024-03-01"],
  ["2024-03 2024-01 2024-09", "2024-03 2024-01 2024-09"],
  ["North South", "North South"],
  ["1000-01 1000-02 9999-01", "1000-01 1000-02 9999-01"],
])("of %j come %j", (given, expected) => {
  expect(labels(given.split(" "))).toEqual(expected.split(" "));
});

test("other charts keep their rows", () => {
  expect(labels(["2025-04", "2025-05", "2025-08"], "column")).toHaveLength(3);
});

test("keeps every row, in order, at even distances", () => {
  const months = fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { maxLength: 20 });
  fc.assert(
    fc.property(months, (given) => {
      const name = (n: number): string =>
        `${2000 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, "0")}`;
      const sorted = given.toSorted((a, b) => a - b).map(name);
      const found = labels(sorted);
      expect(found.filter((label) => sorted.includes(String(label)))).toEqual(sorted);
      expect(new Set(found).size).toBe(found.length);
    }),
  );
});
