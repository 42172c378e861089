import type { ChartField, ChartRow } from "@troupe/stream";

import { groupRows, inTimeOrder, sumRows, type Group } from "../shape/group.ts";
import type { Dimension, Measure } from "../shape/shape.ts";
import type { ChartDraft } from "./chart-draft.ts";
import { fieldOfDimension, fieldOfMeasure, titleOf, otherLabel } from "./draw-points.ts";
import { humanLabel, lowerFirst } from "../names/labels.ts";

/** Colours a reader can tell apart. */
export const MAX_SERIES = 8;
const MAX_BARS = 20;

/** One measure over two dimensions: a series for each value of `split`, the largest first, dates in their order. */
export function drawSplit(
  x: Dimension,
  split: Dimension,
  measure: Measure,
  kind: ChartDraft["kind"],
  stackable: boolean,
): ChartDraft {
  const total = (group: Group): number => sumRows(measure.values, group.rows) ?? 0;
  const bySize = (groups: readonly Group[]): readonly Group[] =>
    [...groups].sort((a, b) => total(b) - total(a) || (a.label < b.label ? -1 : 1));
  const parts = split.kind === "date" ? inTimeOrder(groupRows(split)) : bySize(groupRows(split));
  const shown = parts.length > MAX_SERIES ? parts.slice(0, MAX_SERIES - 1) : parts;
  const rest = parts.slice(shown.length);
  const points = x.kind === "date" ? inTimeOrder(groupRows(x)) : bySize(groupRows(x));
  const kept = x.kind === "date" ? points : points.slice(0, MAX_BARS);
  const series: ChartField[] = shown.map((part, i) => fieldOfMeasure(measure, i, part.label));
  if (rest.length > 0 && stackable)
    series.push(fieldOfMeasure(measure, shown.length, otherLabel(rest.length)));
  const rows = kept.map((point): ChartRow => {
    const inPoint = new Set(point.rows);
    const value = (part: Group): number | null =>
      sumRows(
        measure.values,
        part.rows.filter((row) => inPoint.has(row)),
      );
    const values = shown.map(value);
    if (rest.length > 0 && stackable) values.push(sumRows(rest.map((part) => value(part))));
    return { x: point.label, ...Object.fromEntries(values.map((one, i) => [`y${i + 1}`, one])) };
  });
  const negative = measure.values.some((value) => value !== null && value < 0);
  return {
    title: `${titleOf([measure], x)} and ${lowerFirst(humanLabel(split.name))}`,
    kind,
    by: [x, split],
    measures: [measure.name],
    x: fieldOfDimension(x),
    series,
    rows,
    reduced: rest.length > 0 || kept.length < points.length,
    reason: `${measure.name} over two dimensions: a series for each ${split.name}`,
    ...(stackable && !negative && kind !== "line" && !areYears(split) ? { stacked: true } : {}),
  };
}

/** Years are compared, not added up. */
function areYears({ labels }: Dimension): boolean {
  return labels.length > 0 && labels.every((label) => /^(?:19|20)\d\d$/.test(label));
}
