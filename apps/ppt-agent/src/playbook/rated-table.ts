import type { Table } from "./read-briefing.ts";

/** Words of a scale, from the lowest. */
const SCALE: readonly (readonly string[])[] = [
  ["very low", "negligible", "minor"],
  ["low"],
  ["medium", "moderate"],
  ["high", "major"],
  ["very high", "severe", "critical"],
];
const MIN_ROWS = 3;
/** A scale has three steps at least: low, medium, high. */
const MIN_STEPS = 3;

/** A table whose ratings are marks; `ordered` where two ratings set its rows in order. */
export interface RatedTable extends Table {
  readonly ordered: boolean;
}

/**
 * Columns of `low`, `medium` and `high` as `●○○`, `●●○` and `●●●`: seen at a glance and no words. Where
 * two columns rate the rows, as likelihood and effect do, the gravest product of both comes first.
 */
export function ratedTable(table: Table): RatedTable | undefined {
  const { columns, rows } = table;
  if (rows.length < MIN_ROWS) return undefined;
  const steps = rows.map((row) => columns.map((_, c) => stepOf(row[c] ?? "")));
  const rated = columns.flatMap((_, c) => (c > 0 && steps.every((row) => row[c] !== undefined) ? [c] : []));
  if (rated.length === 0) return undefined;
  const used = rated.flatMap((c) => steps.map((row) => row[c] ?? 0));
  const lowest = Math.min(1, ...used);
  const count = Math.max(MIN_STEPS, Math.max(...used) - lowest + 1);
  const marked = rows.map((row, r) => ({
    cells: columns.map((_, c) => {
      const filled = (steps[r]?.[c] ?? 0) - lowest + 1;
      return rated.includes(c) ? "●".repeat(filled) + "○".repeat(count - filled) : (row[c] ?? "");
    }),
    weight: rated.reduce((product, c) => product * ((steps[r]?.[c] ?? 0) - lowest + 1), 1),
  }));
  const ordered = rated.length === 2;
  const shown = ordered ? marked.toSorted((a, b) => b.weight - a.weight) : marked;
  return { ...table, rows: shown.map(({ cells }) => cells), ordered };
}

function stepOf(cell: string): number | undefined {
  const at = SCALE.findIndex((names) => names.includes(cell.trim().toLowerCase()));
  return at === -1 ? undefined : at;
}
