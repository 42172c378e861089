import type { ChartSpec } from "@troupe/stream";
import { describe, expect, test } from "vitest";

import { sampleChart } from "../testing/samples.ts";
import { fitAcross, fitDown, fullLabels, shownLabels, yearsBelow } from "./categories.ts";

const withLabels = (...labels: (string | number | null)[]): ChartSpec => ({
  ...sampleChart("column"),
  rows: labels.map((quarter) => ({ quarter, revenue: 1 })),
});

describe("labels", () => {
  test("months, quarters and years are shown as such, days as they are", () => {
    expect(shownLabels(withLabels("2026-01-01", "2026-02-01"))).toEqual(["Jan 2026", "Feb 2026"]);
    expect(shownLabels(withLabels("2025-01-01T00:00:00Z", "2026-01-01"))).toEqual(["2025", "2026"]);
    expect(shownLabels(withLabels("2025-Q4", "2026-Q1"))).toEqual(["Q4 2025", "Q1 2026"]);
    expect(shownLabels(withLabels("2026-01-15", "2026-02-01"))).toEqual(["2026-01-15", "2026-02-01"]);
  });

  test("a long one is cut on the axis and whole in the workbook", () => {
    const chart = withLabels("Public water utilities and municipal laboratories", null);
    expect(shownLabels(chart)).toEqual(["Public water utilities and…", "–"]);
    expect(fullLabels(chart)[0]).toBe("Public water utilities and municipal laboratories");
  });
});

test("a year stands below the first of its quarters or months, and beside what is alone in it", () => {
  expect(yearsBelow(["Q4 2024", "Q1 2025", "Q2 2025"])).toEqual(["Q4\n2024", "Q1\n2025", "Q2"]);
  expect(yearsBelow(["Jan 2025", "Feb 2025"])).toEqual(["Jan\n2025", "Feb"]);
  expect(yearsBelow(["Jan 2024", "Jan 2025"])).toEqual(["Jan 2024", "Jan 2025"]);
  expect(yearsBelow(["North", "Q1 2025"])).toEqual(["North", "Q1 2025"]);
});

describe("fit", () => {
  const months = Array.from({ length: 36 }, (_, i) => `Jan ${2000 + i}`);
  test("few labels stand level, many dates are thinned out, many names turn", () => {
    expect(fitAcross(["Sweden", "Norway"], 8, false)).toEqual({ rotate: 0, every: 1 });
    const thinned = fitAcross(months, 11.9, true);
    expect(thinned.rotate).toBe("auto");
    expect(thinned.every).toBeGreaterThan(1);
    expect(fitAcross(months, 11.9, false).rotate).toBe(-45);
  });

  test("down a side every label is shown while there is room", () => {
    expect(fitDown(8, 4).every).toBe(1);
    expect(fitDown(60, 4).every).toBeGreaterThan(2);
  });
});
