import { expect, it } from "vitest";

import { formatBrief, formatNumber, formatShare } from "../names/format-number.ts";
import { makeResult } from "../testing/make-result.ts";
import type { Cell } from "../types/result.ts";
import { describeProfile, profileTables } from "./describe-profile.ts";
import { profileResult } from "./profile-result.ts";

it("carries every number of a sentence as a figure, as large as the sentence says it", () => {
  const [trend, , step] = profileResult(
    makeResult(
      ["quarter", "revenue_eur DOUBLE"],
      [
        ["2024-Q1", 200],
        ["2024-Q2", 250],
        ["2024-Q3", 180],
      ],
    ),
  ).findings;
  expect(trend?.text).toBe("Revenue fell 10.0 % from Q1 2024 to Q3 2024, from EUR 200 to EUR 180.");
  expect(trend?.figures).toEqual([
    { label: "Revenue in Q1 2024", value: 200, unit: "EUR" },
    { label: "Revenue in Q3 2024", value: 180, unit: "EUR" },
    { label: "change of Revenue", value: 10, unit: "%" },
  ]);
  expect(step?.figures).toEqual([
    { label: "step of Revenue from Q2 2024 to Q3 2024", value: 70, unit: "EUR" },
  ]);
});

it.each([
  ["revenue_eur DOUBLE", 1_234_567.891],
  ["share_pct DOUBLE", 3.456],
  ["flights DOUBLE", 40],
])("has every number of its words in its tables: %s", (column, size) => {
  const rows = [2023, 2024, 2025].flatMap((year, i) =>
    ["North", "South", "East", "West", "Other"].map((region, j): Cell[] => [
      year,
      region,
      i === 2 && j === 4 ? null : size * (1 + i * 0.37 + j * 0.11),
    ]),
  );
  const over = [
    makeResult(["year BIGINT", "region", column], rows),
    makeResult(
      ["region", column],
      rows.slice(0, 5).map((row) => row.slice(1)),
    ),
    makeResult(
      ["year BIGINT", column],
      rows.filter(([, region]) => region === "North").map(([year, , value]) => [year ?? null, value ?? null]),
    ),
  ];
  for (const result of over) {
    const profile = profileResult(result);
    const cells = profileTables(profile).flatMap((table) => table.rows.flat());
    const said = cells
      .map((cell) => {
        if (typeof cell !== "number") return String(cell);
        return [formatNumber(cell), formatBrief(cell), formatShare(cell / 100), String(cell)].join(" ");
      })
      .join(" ");
    const there = new Set(said.match(/\d+(?:,\d{3})*(?:\.\d+)?/g));
    const words = describeProfile(profile).replace(/^result-1/, "");
    expect((words.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []).filter((number) => !there.has(number))).toEqual(
      [],
    );
  }
});

it("bounds its tables, and says how many rows there are", () => {
  const columns = Array.from({ length: 600 }, (_, at) => `c${at} DOUBLE`);
  const [figures, statistics] = profileTables(
    profileResult(makeResult(columns, [columns.map((_, at) => at + 0.5)])),
  );
  expect([figures?.rows.length, figures?.total]).toEqual([500, 601]);
  expect([statistics?.rows.length, statistics?.total]).toEqual([500, 600]);
});
