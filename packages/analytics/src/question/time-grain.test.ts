import { describe, expect, it } from "vitest";

import type { ColumnInfo } from "../types/schema.ts";
import { partialPeriods, wholePeriods } from "./time-grain.ts";

const column = (days: readonly string[]): ColumnInfo => ({
  name: "day",
  type: "DATE",
  role: "date",
  nulls: 0,
  distinct: days.length,
  min: days[0] ?? null,
  max: days.at(-1) ?? null,
  samples: days.slice(0, 5),
});
const days = (count: number, from: string): readonly string[] =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(from) + i * 86_400_000).toISOString().slice(0, 10),
  );
const YEAR = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, "0"));
const lastOf = (month: string): string =>
  new Date(Date.UTC(2025, Number(month), 0)).toISOString().slice(0, 10);

describe("periods at the ends of the data", () => {
  it("are not whole where days of them are missing", () => {
    const some = column(days(60, "2025-01-20"));
    expect(partialPeriods(some, "month")).toEqual([
      {
        from: "2025-01-01",
        until: "2025-02-01",
        note: "2025-01 is no whole month: data begins on 2025-01-20.",
      },
      {
        from: "2025-03-01",
        until: "2025-04-01",
        note: "2025-03 is no whole month: data ends on 2025-03-20.",
      },
    ]);
    expect(partialPeriods(some, "quarter").map(({ note }) => note)).toEqual([
      "Q1 2025 is no whole quarter: data begins on 2025-01-20, data ends on 2025-03-20.",
    ]);
    expect(partialPeriods(some, "day")).toEqual([]);
    expect(partialPeriods(column(days(59, "2025-01-01")), "month")).toEqual([]);
  });

  it.each([
    ["the first days of its months", YEAR.map((month) => `2025-${month}-01`), "month"],
    ["the last days of its months", YEAR.map(lastOf), "month"],
    ["the first days of its quarters", ["01", "04", "07", "10"].map((month) => `2025-${month}-01`), "month"],
    ["the first days of its months, by quarter", YEAR.map((month) => `2025-${month}-01`), "quarter"],
  ] as const)("are whole where rows have %s", (_, stamps, grain) => {
    expect(partialPeriods(column(stamps), grain)).toEqual([]);
    expect(wholePeriods(column(stamps), grain)).toEqual({
      from: "2025-01-01",
      until: "2026-01-01",
      note: undefined,
    });
  });
});
