import type { Dimension } from "./shape.ts";

/** One point of a dimension and the rows that fall on it. */
export interface Group {
  readonly label: string;
  readonly key: string | number;
  readonly rows: readonly number[];
}

/** Rows by the value of a dimension, in order of first appearance. */
export function groupRows(dimension: Dimension): readonly Group[] {
  const groups = new Map<string | number, { label: string; key: string | number; rows: number[] }>();
  dimension.keys.forEach((key, row) => {
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { label: dimension.labels[row] ?? "", key, rows: [row] });
  });
  return [...groups.values()];
}

/** Values of a dimension, in order of first appearance. */
export function labelsOf(dimension: Dimension): readonly string[] {
  return groupRows(dimension).map(({ label }) => label);
}

export function hasSeveralLabels({ labels }: Dimension): boolean {
  return new Set(labels).size > 1;
}

/** Time ascending: numbers as numbers, text as text. */
export function inTimeOrder(groups: readonly Group[]): readonly Group[] {
  return [...groups].sort((a, b) => compareKeys(a.key, b.key));
}

/** Sum of the numbers in these rows; null when there is none, or the sum is too large. A single number stays as it is. */
export function sumRows(
  values: readonly (number | null)[],
  rows: readonly number[] = values.map((_, i) => i),
): number | null {
  const numbers = rows.flatMap((row) => values[row] ?? []);
  const [first] = numbers;
  if (first === undefined) return null;
  if (numbers.length === 1) return first;
  const sum = tidy(numbers.reduce((total, value) => total + value, 0));
  return Number.isFinite(sum) ? sum : null;
}

/** Adding decimals in doubles leaves dust in the last digits: 0.1 + 0.2. Fifteen digits are exact. */
export function tidy(value: number): number {
  return Number(value.toPrecision(15));
}

function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const left = String(a);
  const right = String(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
