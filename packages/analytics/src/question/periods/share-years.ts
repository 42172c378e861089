import type { Token } from "../tokens.ts";
import type { PeriodUnit } from "./period-unit.ts";

const BETWEEN = new Set([
  "of",
  "in",
  "the",
  "and",
  "to",
  "through",
  "until",
  "till",
  "or",
  "vs",
  "versus",
  "with",
]);

/**
 * `Q1 and Q2 2024`, `2025 Q3`, `in March ... in 2024`: a part without a year takes the one beside it, or
 * the only one there is. A year that was taken is no period of its own and is left out.
 */
export function shareYears(units: readonly PeriodUnit[], tokens: readonly Token[]): readonly PeriodUnit[] {
  const near = (a: PeriodUnit, b: PeriodUnit): boolean =>
    tokens.slice(a.end, b.at).every(({ fold }) => BETWEEN.has(fold));
  const years = units.map(({ year }) => year);
  const spans = units.map(({ at, end }) => ({ at, end }));
  const taken = new Set<number>();
  const take = (to: number, from: number): void => {
    const [unit, other] = [units[to], units[from]];
    if (unit?.part === undefined || other === undefined || years[to] !== undefined) return;
    if (years[from] === undefined || !(from > to ? near(unit, other) : near(other, unit))) return;
    years[to] = years[from];
    if (other.part !== undefined) return;
    // The year is a part of what names the period, unless another took it already.
    if (!taken.has(from)) spans[to] = { at: Math.min(unit.at, other.at), end: Math.max(unit.end, other.end) };
    taken.add(from);
  };
  for (let i = units.length - 2; i >= 0; i--) take(i, i + 1);
  for (let i = 1; i < units.length; i++) take(i, i - 1);
  const plain = units.flatMap((unit, i) => (unit.part === undefined && !taken.has(i) ? [i] : []));
  const [only] = plain;
  const year = only === undefined ? undefined : years[only];
  const open = units.flatMap((unit, i) => (unit.part !== undefined && years[i] === undefined ? [i] : []));
  if (only !== undefined && plain.length === 1 && year !== undefined && open.length > 0) {
    for (const i of open) years[i] = year;
    taken.add(only);
  }
  return units.flatMap((unit, i) => {
    const own = years[i];
    return taken.has(i) ? [] : [{ ...unit, ...spans[i], ...(own === undefined ? {} : { year: own }) }];
  });
}
