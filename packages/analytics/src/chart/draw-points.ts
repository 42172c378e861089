import type { ChartField, ChartRow } from "@troupe/stream";

import { humanLabel, isAdditive, lowerFirst, unitOf } from "../names/labels.ts";
import { sumRows, type Group } from "../shape/group.ts";
import type { Dimension, Measure } from "../shape/shape.ts";

export function fieldOfDimension(dimension: Dimension): ChartField {
  return { field: "x", label: humanLabel(dimension.name), type: dimension.kind };
}

export function fieldOfMeasure(measure: Measure, index: number, label?: string): ChartField {
  const unit = measureUnit(measure);
  return {
    field: `y${index + 1}`,
    label: label ?? humanLabel(measure.name),
    type: "number",
    ...(unit === undefined ? {} : { unit }),
  };
}

export const measureUnit = ({ name, unit }: Measure): string | undefined => unit ?? unitOf(name);

/** One row a group. Keys are `x`, `y1`, `y2` ...: a column may be called anything. */
export function pointsOf(groups: readonly Group[], measures: readonly Measure[]): readonly ChartRow[] {
  return groups.map((group) => ({
    x: group.label,
    ...Object.fromEntries(measures.map((measure, i) => [`y${i + 1}`, sumRows(measure.values, group.rows)])),
  }));
}

/** Largest first by the first measure; equal ones by name, so the order never depends on the engine. */
export function byValue(rows: readonly ChartRow[]): readonly ChartRow[] {
  return [...rows].sort(
    (a, b) =>
      Number(b["y1"] ?? -Infinity) - Number(a["y1"] ?? -Infinity) ||
      (String(a["x"]) < String(b["x"]) ? -1 : 1),
  );
}

/** Label of combined points, such as `Other (3)`. */
export const otherLabel = (count: number): string => `Other (${count})`;

export const isOtherLabel = (label: string): boolean => /^Other \(\d+\)$/.test(label);

/**
 * The first `count` rows, and the rest as one row `Other` where every measure adds up; where one does
 * not, the rest is left out.
 */
export function topAndOther(
  rows: readonly ChartRow[],
  count: number,
  measures: readonly Measure[],
): readonly ChartRow[] {
  const rest = rows.slice(count);
  if (rest.length === 0 || !measures.every((measure) => isAdditive(measure.name)))
    return rows.slice(0, count);
  const sum = (field: string): number | null => sumRows(rest.map((row) => Number(row[field] ?? 0)));
  const other = Object.fromEntries(measures.map((_, i) => [`y${i + 1}`, sum(`y${i + 1}`)]));
  return [...rows.slice(0, count), { x: otherLabel(rest.length), ...other }];
}

/**
 * Measures that can share an axis with the first: same unit, and neither twenty times the other.
 * The second of revenue and order count would be a flat line.
 */
export function onOneAxis(measures: readonly Measure[], limit: number): readonly Measure[] {
  const [first] = measures;
  if (first === undefined) return [];
  const size = (measure: Measure): number =>
    Math.max(0, ...measure.values.map((value) => Math.abs(value ?? 0)));
  const reference = size(first);
  return measures
    .filter((measure) => {
      if (measure === first) return true;
      const ratio = size(measure) / (reference || 1);
      return (
        measureUnit(measure) === measureUnit(first) &&
        isAdditive(measure.name) === isAdditive(first.name) &&
        ratio > 0.05 &&
        ratio < 20
      );
    })
    .slice(0, limit);
}

/** `Revenue and cost by quarter`. */
export function titleOf(
  measures: readonly { readonly name: string }[],
  by?: { readonly name: string },
): string {
  const [first = "", ...rest] = measures.map((measure) => humanLabel(measure.name));
  const last = rest.pop();
  const list = [first, ...rest.map(lowerFirst)].join(", ");
  const what = last === undefined ? list : `${list} and ${lowerFirst(last)}`;
  return by === undefined ? what : `${what} by ${lowerFirst(humanLabel(by.name))}`;
}
