import type { ChartSpec } from "@troupe/stream";

import { cleanLine } from "../text/clean.ts";
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
    commonDecimals(chart),
  );
}

function commonDecimals({ series }: ChartSpec): number | undefined {
  const decimals = new Set(series.map((one) => one.decimals));
  return decimals.size === 1 ? [...decimals][0] : undefined;
}

function commonUnit(chart: ChartSpec): string | undefined {
  const units = new Set(chart.series.map((s) => s.unit));
  return units.size === 1 ? [...units][0] : undefined;
}

/** The line above a chart: its title, where the slide does not say the same, and the unit. */
export function chartCaption(chart: ChartSpec, slideTitle: string): string {
  const same = sameText(chart.title, slideTitle);
  const title = same ? chart.series.map((s) => s.label).join(", ") : chart.title;
  return withUnit(cleanLine(title), cleanLine(axisFormat(chart).unitLabel));
}

/**
 * A text and the unit of its numbers, which is named once: `Revenue` is `Revenue, EUR million`, `Revenue (EUR)` is
 * `Revenue (EUR million)`, and `Revenue in EUR million` or `EUR` stays as it is.
 */
export function withUnit(text: string, unitLabel: string): string {
  const words = unitLabel.split(" ").filter((word) => word !== "");
  const missing = words.filter((word) => !hasWord(text, word));
  if (missing.length === 0) return text;
  const rest = missing.join(" ");
  if (
    text === "" ||
    normal(text)
      .split(" ")
      .every((word) => hasWord(unitLabel, word))
  )
    return unitLabel;
  const end = text.endsWith(")") ? ")" : "";
  const open = text.slice(0, text.length - end.length);
  // `Revenue million`: the whole unit takes the place of the part that the text ends in.
  const part = words.slice(1).join(" ");
  const before = open.slice(0, open.length - part.length);
  if (part !== "" && normal(open).endsWith(` ${normal(part)}`) && /[\s(]$/.test(before))
    return /\(|\sin\s$/i.test(before) ? `${before}${unitLabel}${end}` : `${before.trimEnd()}, ${unitLabel}`;
  return missing.length < words.length && hasWord(unitLabel, normal(open).split(" ").at(-1) ?? "")
    ? `${open} ${rest}${end}`
    : `${text}, ${rest}`;
}

const hasWord = (text: string, word: string): boolean => normal(text).split(" ").includes(normal(word));

/** The same but for case and punctuation. */
export const sameText = (a: string, b: string): boolean => normal(a) === normal(b);

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Sc}]+/gu, " ")
    .trim();

/** What a screen reader says of a chart: its kind, title, extent and first and last value. */
export function chartAltText(chart: ChartSpec): string {
  const series = chart.series.map((s) => s.label).join(", ");
  return `${chart.kind} chart: ${chart.title}. ${series}, ${chart.rows.length} ${chart.rows.length === 1 ? "row" : "rows"}. Source: ${chart.provenance.source}.`;
}
