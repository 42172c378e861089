import { formatNumber } from "../names/format-number.ts";
import { humanLabel, unitField, unitOf } from "../names/labels.ts";
import { shapeOf, type Shape } from "../shape/shape.ts";
import type { QueryResult } from "../types/result.ts";
import { columnStatistics } from "./column-statistics.ts";
import { findShares } from "./find-shares.ts";
import { findTrends } from "./find-trends.ts";
import type { Finding, Profile } from "./profile.ts";

/** Measures spoken of; more would bury the first. */
const MAX_MEASURES = 2;

/**
 * Statistics and findings of a result from its rows. Pure. A truncated result gets no findings: a
 * sum over some of the rows is a wrong number, and periods that begin on a day of `partial` are compared with no other.
 */
export function profileResult(result: QueryResult, partial: readonly string[] = []): Profile {
  return {
    of: result.id,
    rows: result.total ?? result.rows.length,
    sampled: result.truncated ? result.rows.length : null,
    columns: result.columns.map((column, i) =>
      columnStatistics(
        column,
        result.rows.map((row) => row[i] ?? null),
      ),
    ),
    findings: result.truncated ? [] : findingsOf(shapeOf(result), partial),
  };
}

export function findingsOf(shape: Shape, partial: readonly string[] = []): readonly Finding[] {
  const measures = shape.measures.slice(0, MAX_MEASURES);
  if (shape.rows === 1) return shape.measures.flatMap(figure);
  const category = shape.categories.find((one) => new Set(one.labels).size > 1);
  return measures.flatMap((measure) => [
    ...(shape.time === undefined ? [] : findTrends(shape.time, measure, shape, partial)),
    ...(category === undefined ? [] : findShares(category, measure, shape)),
  ]);
}

function figure(measure: Shape["measures"][number]): readonly Finding[] {
  const value = measure.values[0] ?? null;
  if (value === null) return [];
  const cell = measure.cells?.[0];
  const text = `${humanLabel(measure.name)} is ${formatNumber(typeof cell === "string" ? cell : value, unitOf(measure.name))}.`;
  const figures = [{ label: humanLabel(measure.name), value, ...unitField(measure.name) }];
  return [{ kind: "figure", text, values: { value }, figures }];
}
