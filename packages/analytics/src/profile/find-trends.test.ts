import { expect, it } from "vitest";

import { makeResult } from "../testing/make-result.ts";
import type { Cell } from "../types/result.ts";
import { profileResult } from "./profile-result.ts";

const texts = (columns: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] =>
  profileResult(makeResult(columns, rows)).findings.map(({ text }) => text);

it.each([
  [
    "foresight_share_pct DOUBLE",
    [22.7, 23.7, 27.2],
    "Foresight share went from 22.7 % in 2023 to 27.2 % in 2025, up 4.5 points.",
    "up 3.5 points,",
  ],
  [
    "Umsatzanteil in Prozent DOUBLE",
    [27.2, 23.7, 22.7],
    "Umsatzanteil went from 27.2 % in 2023 to 22.7 % in 2025, down 4.5 points.",
    "down 3.5 points,",
  ],
  [
    "Marktanteil DOUBLE",
    [22.7, 23.7, 27.2],
    "Marktanteil went from 22.7 in 2023 to 27.2 in 2025, up 4.5 points.",
    "up 3.5 points,",
  ],
  [
    "churn_rate DOUBLE",
    [0.227, 0.237, 0.272],
    "Churn rate went from 0.23 in 2023 to 0.27 in 2025, up 0.05.",
    "up 0.04,",
  ],
])("tells a change of a share in points, not in percent: %s", (column, values, trend, step) => {
  const rows = values.map((value, i) => [2023 + i, value]);
  const found = profileResult(makeResult(["year BIGINT", column], rows)).findings;
  expect(found[0]?.text).toBe(trend);
  expect(found[2]?.text).toContain(step);
  expect(found.map(({ text }) => text).join()).not.toMatch(/(up|down|rose|fell) [\d.]+ %/);
  expect(found[0]?.values["change"]).toBeNull();
});

it.each(["hourly_rate DOUBLE", "Stundensatz DOUBLE"])(
  "tells a change of another rate in percent: %s",
  (column) => {
    const rows = [80, 90, 100].map((value, i) => [2023 + i, value]);
    const [trend, , step] = texts(["year BIGINT", column], rows);
    expect(trend).toMatch(/ rose 25\.0 % from 2023 to 2025, from 80 to 100\.$/);
    expect(step).toContain("up 10,");
  },
);

it.each(["share_pct DOUBLE", "Umsatzanteil DOUBLE", "Anteil (%) DOUBLE"])(
  "adds up no shares: %s",
  (column) => {
    const rows = [2023, 2024].flatMap((year) => [
      [year, "North", 61.5],
      [year, "South", 38.5],
    ]);
    expect(texts(["year BIGINT", "region", column], rows)).toEqual([]);
    const [leader, ...more] = texts(
      ["region", column],
      rows.slice(0, 2).map((row) => row.slice(1)),
    );
    expect(leader).toMatch(/^North has the highest .*, 61\.5( %)?; South is last with 38\.5( %)?\.$/);
    expect(more).toEqual([]);
  },
);
