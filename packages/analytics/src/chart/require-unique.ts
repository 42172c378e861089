import { InputError } from "@troupe/core";

import { oneLine } from "../names/one-line.ts";
import type { Dimension } from "../shape/shape.ts";
import type { QueryResult } from "../types/result.ts";

/** Columns that are tried, and tried together, to make rows unique. */
const MAX_COLUMNS = 10;
const MAX_TOGETHER = 3;

/**
 * Throws an `InputError` where several rows fall on one point of a chart: a sum of them, or one of them alone, would be
 * a wrong figure. It names the columns that make the rows unique.
 */
export function requireUnique(
  result: QueryResult,
  by: readonly Dimension[],
  measures: readonly string[],
): void {
  const counts = new Map<string, number[]>();
  result.rows.forEach((_, row) => {
    const key = JSON.stringify(by.map(({ keys }) => keys[row]));
    const rows = counts.get(key);
    if (rows) rows.push(row);
    else counts.set(key, [row]);
  });
  const repeated = [...counts.values()].find((rows) => rows.length > 1);
  if (repeated === undefined) return;
  const [first = 0] = repeated;
  const names = by.map(({ name }) => name).join(", ");
  const point = by.map(({ labels }) => oneLine(labels[first] ?? "", 60)).join(", ");
  const drawn = new Set([...by.flatMap(({ name, parts = [] }) => [name, ...parts]), ...measures]);
  const apart = columnsApart(result, by, drawn);
  const unique = [...by.map(({ name }) => name), ...apart].join(", ");
  const [only] = apart;
  const series =
    by.length === 1 && apart.length === 1 && only !== undefined
      ? ` Give series: "${only}", or aggregate`
      : " Aggregate";
  const how = apart.length === 0 ? "No columns make them unique." : `They are unique by ${unique}.`;
  throw new InputError(
    "input.invalid",
    `Rows are not unique by ${names}: "${point}" has ${repeated.length} rows. ${how}${series} in SQL (GROUP BY ${names}) and draw that result.`,
  );
}

/** The fewest columns beside `by` that make rows unique; empty where none do. */
function columnsApart(
  result: QueryResult,
  by: readonly Dimension[],
  drawn: ReadonlySet<string>,
): readonly string[] {
  const candidates = result.columns
    .map(({ name, role }, index) => ({ name, role, index }))
    .filter(({ name, role }) => !drawn.has(name) && role !== "measure")
    .slice(0, MAX_COLUMNS);
  const isUnique = (columns: typeof candidates): boolean =>
    new Set(
      result.rows.map((row, at) =>
        JSON.stringify([by.map(({ keys }) => keys[at]), columns.map(({ index }) => row[index] ?? null)]),
      ),
    ).size === result.rows.length;
  for (let size = 1; size <= MAX_TOGETHER; size++)
    for (const columns of combinations(candidates, size))
      if (isUnique(columns)) return columns.map(({ name }) => name);
  return [];
}

function combinations<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) =>
    combinations(items.slice(at + 1), size - 1).map((others) => [item, ...others]),
  );
}
