import type { Claim, HeldFigure } from "../claim.ts";
import type { PassageFigure } from "../evidence/passage.ts";
import { fold } from "../text/fold.ts";
import { stemOf } from "../text/names.ts";
import { significantDigits, valueOf, type Figure } from "../text/numbers.ts";
import { convert, isComparable, type Unit } from "../text/units.ts";
import type { Emit, Space } from "./arithmetic.ts";

/** Numbers of the person or of the sentence, and figures of the cited passages, that are combined. */
const MAX_OWN = 16;
const MAX_CITED = 60;
/** Cited passages that a percentage and its amount may be in. */
const MAX_COMBINED = 3;

/**
 * A rule of a cited passage applied to a case that the person or the sentence states: `for your 3 TB about 75 minutes` of
 * "25 minutes per TB", `half the fare, so £9.20` of a ticket for £18.40, `four pallets, that is 160 bags`.
 */
export function workedExamples(
  figure: Figure,
  claim: Claim,
  held: readonly HeldFigure[],
  hasOtherUnit: boolean,
): readonly Space[] {
  if (claim.cited.length === 0) return [];
  const stated = [
    ...claim.blockFigures.map((one) => one.figure),
    ...held.filter((one) => one.figure !== figure).flatMap(exactFigures),
    ...claim.facts.figures.filter((one) => one !== figure && one.isWord && one.scale === 1),
  ];
  const given = claim.evidence.given.flatMap(({ figures }) => figures).filter(isAmount);
  const own = [...new Set([...stated.filter(isAmount), ...given])].slice(0, MAX_OWN);
  const cited = claim.cited
    .flatMap(({ figures }) => figures)
    .filter(isAmount)
    .slice(0, MAX_CITED);
  const hasUnit = figure.unit !== undefined;
  // `160 bags` of "40 bags per pallet"
  const noun = nounAfter(claim.text, figure.end);
  const alike = claim.cited.flatMap(({ source, figures }) =>
    figures.filter((one) => noun !== "" && isAmount(one) && nounAfter(source, one.end) === noun),
  );
  const isTelling = hasUnit || significantDigits(figure) > 1;
  const space = (name: string, weight: number, fill: (emit: Emit) => void): Space => ({ name, weight, fill });
  const near = [
    ...(isTelling ? [space("a limit beside a case", 0.1, (emit) => fillGaps(figure, own, cited, emit))] : []),
    space("a fraction of a case", 0.05, (emit) => fillFractions(figure, claim, own, emit)),
    space("for another period", 0.05, (emit) => fillPeriodOf(figure, cited, emit)),
  ];
  // The number itself with another unit is most likely what was meant.
  if (hasOtherUnit) return near;
  return [
    ...near,
    space("a share of a case", 0.1, (emit) => fillShares(figure, own, cited, emit)),
    ...(isTelling
      ? [space("a rate for a case", 0.1, (emit) => fillRatesFor(figure, own, hasUnit ? cited : alike, emit))]
      : []),
    ...(significantDigits(figure) > 2 && claim.cited.length <= MAX_COMBINED
      ? [space("a percentage of another passage", 0.15, (emit) => fillAcross(figure, claim, emit))]
      : []),
    space("with a basic charge", 0.1, (emit) => fillWithBase(figure, own, cited, emit)),
  ];
}

/** A figure as it is written, and as the values that it was rounded from. */
function exactFigures({ figure, exact = [] }: HeldFigure): readonly Figure[] {
  return [figure, ...exact.map((value) => ({ ...figure, readings: [{ value, decimals: 6 }], scale: 1 }))];
}

/** The first letters of the word after a number. */
function nounAfter(text: string, end: number): string {
  const word = /^[\s-]{1,2}(\p{L}{3,40})/u.exec(text.slice(end, end + 44))?.[1] ?? "";
  return stemOf(fold(word));
}

function isAmount({ isYear }: Figure): boolean {
  return !isYear;
}

const FRACTIONS: readonly (readonly [number, RegExp])[] = [
  [1 / 2, /(?<!\p{L})(?:half|halve|halved|halfte|halb\p{L}{0,2}|moitie|demie?|mitad|meta)(?!\p{L})/u],
  [1 / 3, /(?<!\p{L})(?:third|drittel\p{L}?|tiers|tercio|terzo)(?!\p{L})/u],
  [1 / 4, /(?<!\p{L})(?:quarter|viertel\p{L}?|quart|cuarto)(?!\p{L})/u],
  [1 / 5, /(?<!\p{L})(?:fifth|funftel\p{L}?|cinquieme|quinto)(?!\p{L})/u],
  [1 / 6, /(?<!\p{L})(?:sixth|sechstel\p{L}?|sixieme|sexto)(?!\p{L})/u],
  [1 / 8, /(?<!\p{L})(?:eighth|achtel\p{L}?|huitieme|octavo)(?!\p{L})/u],
  [1 / 10, /(?<!\p{L})(?:tenth|zehntel\p{L}?|dixieme|decimo)(?!\p{L})/u],
];

/** A fraction in words, in the sentence or a cited passage: `one eighth of the floor area`. */
function fillFractions(figure: Figure, { text, cited }: Claim, own: readonly Figure[], emit: Emit): void {
  const words = [fold(text), ...cited.map(({ folded }) => folded)];
  for (const [part, pattern] of FRACTIONS)
    if (words.some((one) => pattern.test(one)))
      for (const other of own) {
        const value = inUnitOf(figure, other);
        if (value === undefined) continue;
        emit(value * part, "product", other.unit?.dimension);
        emit(value * (1 - part), "product", other.unit?.dimension);
      }
}

/** A percentage from one list, of an amount from the other. */
function fillShares(
  figure: Figure,
  own: readonly Figure[],
  cited: readonly PassageFigure[],
  emit: Emit,
): void {
  for (const [amounts, percentages] of [[own, cited] as const, [cited, own] as const])
    for (const { unit, ...percentage } of percentages) {
      const whole = WHOLES.get(unit?.dimension ?? "");
      if (whole !== undefined)
        for (const amount of amounts) {
          const value = inUnitOf(figure, amount);
          if (amount.unit?.dimension === unit?.dimension || value === undefined) continue;
          const part = (valueOf(percentage) * (unit?.factor ?? 1)) / whole;
          for (const count of amount.unit === undefined ? [1] : MONTHS)
            for (const factor of [part, 1 - part, 1 + part])
              emit(value * count * factor, "product", amount.unit?.dimension);
        }
    }
}

/** A percentage of one cited passage, of an amount of another: a discount in the contract, a price in the list. */
function fillAcross(figure: Figure, { cited }: Claim, emit: Emit): void {
  for (const a of cited)
    for (const b of cited)
      if (a !== b)
        fillShares(figure, b.figures.filter(isAmount).slice(0, MAX_CITED), percentagesOf(a.figures), emit);
}

function percentagesOf(figures: readonly PassageFigure[]): readonly PassageFigure[] {
  return figures.filter(({ unit }) => unit?.dimension === "percent").slice(0, MAX_OWN);
}

/** How many units of a share make the whole: a million for `214 ppm of the membranes`. */
const WHOLES: ReadonlyMap<string, number> = new Map([
  ["percent", 100],
  ["permille", 1000],
  ["fraction", 1e6],
]);

/** A monthly amount may stand for a year. */
const MONTHS_A_YEAR = 12;
const MONTHS = [1, MONTHS_A_YEAR];

/** Units that no rate is multiplied by. */
const UNCOUNTED: readonly string[] = ["percent", "points", "basis", "temperature"];

/** A count or duration multiplied by a rate, or divided by one. */
function fillRatesFor(
  figure: Figure,
  own: readonly Figure[],
  cited: readonly PassageFigure[],
  emit: Emit,
): void {
  for (const count of own)
    for (const rate of cited) {
      if ([count, rate].some(({ unit }) => UNCOUNTED.includes(unit?.dimension ?? ""))) continue;
      if (rate === count || isSameUnit(rate, count)) continue;
      const perThing = inUnitOf(figure, rate);
      // `1,900 t` at `€2.38 per kilogram`
      if (perThing !== undefined && rate.per !== undefined && count.unit?.dimension === rate.per.dimension) {
        emit(perThing * convertTo(rate.per, count, count.unit), "product", rate.unit?.dimension);
        continue;
      }
      if (perThing !== undefined) {
        emit(perThing * valueOf(count), "product", rate.unit?.dimension);
        if (count.unit === undefined && valueOf(count) !== 0)
          emit(perThing / valueOf(count), "average", rate.unit?.dimension);
      }
      const amount = inUnitOf(figure, count);
      if (amount === undefined || rate.unit !== undefined || valueOf(rate) === 0) continue;
      emit(amount / valueOf(rate), "average", count.unit?.dimension);
      emit(amount * valueOf(rate), "product", count.unit?.dimension);
    }
}

/** A charge for each unit and a fixed one: `3,500 kWh` at `31.84 ct/kWh` and `€148.80` a year. */
function fillWithBase(
  figure: Figure,
  own: readonly Figure[],
  cited: readonly PassageFigure[],
  emit: Emit,
): void {
  const { unit } = figure;
  if (unit?.dimension.startsWith("currency:") !== true) return;
  const money = cited.filter(
    (one) => one.unit !== undefined && isComparable(one.unit.dimension, unit.dimension),
  );
  const counts = own.filter((one) => one.unit?.dimension.startsWith("currency:") !== true).map(valueOf);
  for (const count of new Set([...counts, MONTHS_A_YEAR]))
    for (const rate of money)
      for (const base of money)
        if (base !== rate)
          emit((inUnitOf(figure, rate) ?? 0) * count + (inUnitOf(figure, base) ?? 0), "sum", unit.dimension);
}

/** The difference between a stated value and one of a passage: `0.3 points above the maximum`, `2 ml short of the target`. */
function fillGaps(figure: Figure, own: readonly Figure[], cited: readonly PassageFigure[], emit: Emit): void {
  const isPoints = figure.unit?.dimension === "points";
  for (const a of own)
    for (const b of cited) {
      const arePlain = a.unit === undefined && b.unit === undefined && valueOf(a) >= 100 && valueOf(b) >= 100;
      if (!arePlain && (!isSameUnit(a, b) || a.unit?.factor !== b.unit?.factor)) continue;
      const [left, right] = isPoints ? [valueOf(a), valueOf(b)] : [inUnitOf(figure, a), inUnitOf(figure, b)];
      if (left !== undefined && right !== undefined)
        emit(Math.abs(left - right), "difference", a.unit?.dimension);
    }
}

/** `€12.40 a month` of `€148.80 a year`. */
function fillPeriodOf(figure: Figure, cited: readonly PassageFigure[], emit: Emit): void {
  for (const amount of cited) {
    const value = inUnitOf(figure, amount);
    if (amount.period === undefined || value === undefined) continue;
    for (const count of [12, 4, 52]) {
      if (figure.period === undefined || figure.period > amount.period)
        emit(value * count, "product", amount.unit?.dimension);
      if (figure.period === undefined || figure.period < amount.period)
        emit(value / count, "average", amount.unit?.dimension);
    }
  }
}

function isSameUnit(a: Figure, b: Figure): boolean {
  return a.unit !== undefined && b.unit !== undefined && isComparable(a.unit.dimension, b.unit.dimension);
}

/** The value in the unit of the figure; undefined where it has another kind of unit, or only one of them has one. */
function inUnitOf({ unit }: Figure, other: Figure & Partial<PassageFigure>): number | undefined {
  // The unit of a cell may stand in the head of its table.
  if (
    unit?.dimension.startsWith("currency:") === true &&
    other.unit === undefined &&
    other.column !== undefined
  )
    return valueOf(other);
  if (unit === undefined || other.unit === undefined) return unit === other.unit ? valueOf(other) : undefined;
  return isComparable(unit.dimension, other.unit.dimension) ? convertTo(unit, other, other.unit) : undefined;
}

function convertTo(unit: Unit, other: Figure, from: Unit): number {
  return unit.factor === from.factor ? valueOf(other) : convert(valueOf(other), from, unit);
}
