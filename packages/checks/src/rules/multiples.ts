import type { Claim, HeldFigure, Missing } from "../claim.ts";
import { holdsWords } from "../evidence/evidence.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { isComparable, type Unit } from "../text/units.ts";

/**
 * Multiples such as `doubled` that fit neither the ratio of the only two figures of the sentence nor, where these are no
 * pair, the ratio of one of them to another value of the evidence.
 */
export function wrongMultiples(claim: Claim, held: readonly HeldFigure[]): readonly Missing[] {
  const [a, b, ...others] = held.filter(({ isCount, figure }) => !isCount && !figure.isYear);
  if (a === undefined || b === undefined || others.length > 0) return [];
  const isPair =
    BETWEEN_PAIR.test(claim.text.slice(a.figure.end, b.figure.start)) &&
    !AMOUNT_OF_CHANGE.test(claim.text.slice(0, a.figure.start));
  const known = isPair ? [] : comparedWith(claim);
  const fits = (ratio: number, times: number): boolean => ratio >= times * 0.85 && ratio < times * 1.6;
  return claim.facts.multiples
    .filter(
      ({ raw, value: times }) =>
        !fits(ratioOf(valueOf(a.figure), valueOf(b.figure)), times) &&
        ![a, b].some(({ figure }) =>
          known.some(
            (other) => isAlike(figure, other.unit) && fits(ratioOf(valueOf(figure), other.value), times),
          ),
        ) &&
        !claim.cited.some((one) => holdsWords(one, raw)),
    )
    .map(({ raw }) => ({ kind: "figure", raw }));
}

/** Text between two figures that the multiple compares: `from 412 in 2023 to 1,318`. */
const BETWEEN_PAIR = /^(?!.*\b(?:and|und|et)\b)[^,;.]{0,24}$/u;
const AMOUNT_OF_CHANGE = /\b(?:by|um|de)\s\p{Sc}?$/u;

function ratioOf(a: number, b: number): number {
  return Math.max(a, b) / Math.min(a, b);
}

/** A value of the cited evidence, or of all tables if nothing is cited. */
interface ComparedValue {
  readonly value: number;
  readonly unit: Unit | undefined;
}

function comparedWith({ cited, citedTables, isCited, evidence }: Claim): readonly ComparedValue[] {
  const tables = isCited ? citedTables : evidence.tables;
  return [
    ...cited
      .flatMap(({ figures }) => figures.filter(({ isYear }) => !isYear))
      .map((figure) => ({ value: valueOf(figure), unit: figure.unit })),
    ...tables.flatMap(({ cells, columns }) =>
      cells
        .filter(({ column }) => columns[column]?.isLabel !== true)
        .map(({ value, column }) => ({ value: Math.abs(value), unit: columns[column]?.unit })),
    ),
  ].slice(0, MAX_COMPARED);
}

/** Bounds the time that one sentence takes. */
const MAX_COMPARED = 2000;

function isAlike({ unit }: Figure, other: Unit | undefined): boolean {
  return unit === undefined || other === undefined || isComparable(unit.dimension, other.dimension);
}
