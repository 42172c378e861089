import type { QueryResult } from "../types/result.ts";
import { oneLine } from "../names/one-line.ts";
import { groupRows, labelsOf } from "../shape/group.ts";
import type { Dimension } from "../shape/shape.ts";
import type { ChartDraft } from "./chart-draft.ts";
import { isOtherLabel } from "./draw-points.ts";

const MAX_NAMED = 10;
const MAX_EXAMPLES = 3;

/** One sentence for each kind of thing that a chart leaves out of a result: columns, values of the axis, series and rows. */
export function describeDropped(result: QueryResult, draft: ChartDraft): readonly string[] {
  const { by, measures, rows, series } = draft;
  const [axis, split] = by;
  const shown = new Set([...by.flatMap(({ name, parts = [] }) => [name, ...parts]), ...measures]);
  const columns = result.columns.flatMap(({ name, role }, index) =>
    shown.has(name) ? [] : [`${oneLine(name)}${role === "category" ? valuesOf(result, index, axis) : ""}`],
  );
  const points = new Set(rows.map(({ x }) => String(x)));
  return [
    ...(columns.length === 0 ? [] : [`Columns not drawn: ${columns.join(", ")}.`]),
    ...(axis === undefined ? [] : leftOut(axis, points)),
    ...(split === undefined ? [] : leftOut(split, new Set(series.map(({ label }) => label)))),
    ...(draft.kind === "scatter" && rows.length < result.rows.length
      ? [`${rows.length} of ${result.rows.length} rows are drawn as points.`]
      : []),
    ...(result.truncated
      ? [
          `Only the first ${result.rows.length} of ${String(result.total ?? "more")} rows of the result are in it.`,
        ]
      : []),
  ];
}

/** ` (Nordics: Aquaculture; DACH: Utility)`: the bar called Nordics holds one segment only. */
function valuesOf({ rows }: QueryResult, index: number, axis: Dimension | undefined): string {
  if (axis === undefined || new Set(rows.map((row) => row[index])).size < 2) return "";
  const examples = groupRows(axis)
    .slice(0, MAX_EXAMPLES)
    .map(
      ({ label, rows: own }) =>
        `${oneLine(label, 40)}: ${oneLine(String(rows[own[0] ?? 0]?.[index] ?? "none"), 40)}`,
    );
  return ` (${examples.join("; ")})`;
}

function leftOut(dimension: Dimension, shown: ReadonlySet<string>): readonly string[] {
  const missing = labelsOf(dimension).filter((label) => !shown.has(label));
  if (missing.length === 0) return [];
  const named = missing.slice(0, MAX_NAMED).map((label) => oneLine(label, 40));
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : "";
  const isTogether = [...shown].some(isOtherLabel);
  const how = isTogether ? "Put together as Other" : "Left out";
  return [`${how}: ${missing.length} of ${oneLine(dimension.name)} (${named.join(", ")}${more}).`];
}
