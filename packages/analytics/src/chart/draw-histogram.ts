import { formatNumber } from "../names/format-number.ts";
import { humanLabel, lowerFirst } from "../names/labels.ts";
import { tidy } from "../shape/group.ts";
import type { Measure } from "../shape/shape.ts";
import type { ChartDraft } from "./chart-draft.ts";

const MAX_BINS = 20;

/** How often a measure falls where: up to twenty bins of a round width. */
export function drawHistogram(measure: Measure): ChartDraft {
  const values = measure.values.filter((value) => value !== null);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const bins = Math.min(MAX_BINS, Math.max(1, Math.ceil(Math.sqrt(values.length))));
  // Divided first: the difference of the largest doubles is no number any more.
  const width = roundWidth(high / bins - low / bins);
  const base = Math.floor(low / width);
  const counts = new Map<number, number>();
  for (const value of values) {
    const bin = Math.floor(value / width) - base;
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const last = Math.max(...counts.keys());
  const rows = Array.from({ length: last + 1 }, (_, bin) => ({
    x: `${formatNumber(tidy((base + bin) * width))} to ${formatNumber(tidy((base + bin + 1) * width))}`,
    y1: counts.get(bin) ?? 0,
  }));
  return {
    title: `Distribution of ${lowerFirst(humanLabel(measure.name))}`,
    kind: "column",
    by: [],
    measures: [measure.name],
    x: { field: "x", label: humanLabel(measure.name), type: "category" },
    series: [{ field: "y1", label: "Rows", type: "number" }],
    rows,
    reason: `only ${measure.name} to show: its distribution`,
  };
}

/** The next of 1, 2, 5 times a power of ten. */
function roundWidth(width: number): number {
  if (width <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(width));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= width) ?? 10;
  return step * power;
}
