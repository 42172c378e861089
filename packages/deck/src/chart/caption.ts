import type { ChartSpec } from "@troupe/stream";

import { cleanLine } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import { countWords } from "../text/words.ts";
import { numberFormat, type NumberFormat } from "./number-format.ts";

/** Numbers of one measure, in row order; what is not a finite number is left out. */
export function valuesOf(chart: ChartSpec, field: string): readonly number[] {
  return chart.rows
    .map((row) => row[field])
    .filter((v) => typeof v === "number" && Number.isFinite(v)) as number[];
}

/** One format for all measures of a value axis. */
export function axisFormat(chart: ChartSpec): NumberFormat {
  return numberFormat(
    chart.series.flatMap((s) => valuesOf(chart, s.field)),
    commonUnit(chart),
  );
}

function commonUnit(chart: ChartSpec): string | undefined {
  const units = new Set(chart.series.map((s) => s.unit));
  return units.size === 1 ? [...units][0] : undefined;
}

/**
 * The line above a chart: its title, where the slide does not say the same, and the unit. Where it is
 * too long the title gives way: a number without its unit says nothing.
 */
export function chartCaption(chart: ChartSpec, slideTitle: string, maxWords: number): string {
  const same = sameText(chart.title, slideTitle);
  const title = same ? chart.series.map((s) => s.label).join(", ") : chart.title;
  const { unitLabel } = axisFormat(chart);
  const room = Math.max(3, maxWords - countWords(unitLabel));
  return [tighten(cleanLine(title), room), cleanLine(unitLabel)].filter((part) => part !== "").join(", ");
}

/** The same but for case and punctuation. */
export const sameText = (a: string, b: string): boolean => normal(a) === normal(b);

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** What a screen reader says of a chart: its kind, title, extent and first and last value. */
export function chartAltText(chart: ChartSpec): string {
  const series = chart.series.map((s) => s.label).join(", ");
  return `${chart.kind} chart: ${chart.title}. ${series}, ${chart.rows.length} ${chart.rows.length === 1 ? "row" : "rows"}. Source: ${chart.provenance.source}.`;
}
