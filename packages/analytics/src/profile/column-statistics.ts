import { toNumber } from "../names/format-number.ts";
import { tidy } from "../shape/group.ts";
import type { Cell, ResultColumn } from "../types/result.ts";
import type { ColumnProfile } from "./profile.ts";

const TOP = 5;

/** Statistics of one column of a result that is complete in memory. */
export function columnStatistics(column: ResultColumn, cells: readonly Cell[]): ColumnProfile {
  const said = cells.filter((cell) => cell !== null);
  const counts = new Map<Cell, number>();
  for (const cell of said) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const base = {
    name: column.name,
    role: column.role,
    nulls: cells.length - said.length,
    distinct: counts.size,
  };
  const nothing = { min: null, max: null, mean: null, quartiles: null, top: [] };
  if (column.role === "measure") {
    const cellsInOrder = said.filter((cell) => toNumber(cell) !== undefined).sort(byNumber);
    const numbers = cellsInOrder.flatMap((cell) => toNumber(cell) ?? []);
    if (numbers.length === 0) return { ...base, ...nothing };
    return {
      ...base,
      min: cellsInOrder[0] ?? null,
      max: cellsInOrder.at(-1) ?? null,
      mean: tidy(numbers.reduce((sum, value) => sum + value, 0) / numbers.length),
      quartiles: [quantile(numbers, 0.25), quantile(numbers, 0.5), quantile(numbers, 0.75)],
      top: [],
    };
  }
  if (column.role === "date") {
    const ordered = [...said].sort((a, b) => (a === b ? 0 : a < b ? -1 : 1));
    return { ...base, ...nothing, min: ordered[0] ?? null, max: ordered.at(-1) ?? null };
  }
  if (column.role === "id") return { ...base, ...nothing };
  const top = [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
  return { ...base, ...nothing, top: top.slice(0, TOP) };
}

/** Whole numbers that share one double differ in their digits. */
function byNumber(a: Cell, b: Cell): number {
  const difference = (toNumber(a) ?? 0) - (toNumber(b) ?? 0);
  const [left, right] = [String(a), String(b)];
  if (difference !== 0 || !/^-?\d+$/.test(left) || !/^-?\d+$/.test(right)) return difference;
  return BigInt(left) < BigInt(right) ? -1 : Number(BigInt(left) > BigInt(right));
}

/** Between the two nearest values, as the engine's `quantile_cont` does. */
function quantile(sorted: readonly number[], at: number): number {
  const position = (sorted.length - 1) * at;
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return tidy(below + (above - below) * (position - Math.floor(position)));
}
