import type { Claim, HeldFigure } from "../claim.ts";
import { timestamp } from "../text/dates.ts";
import { fold } from "../text/fold.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { convert, MINOR_CURRENCY, scaleOf } from "../text/units.ts";
import {
  emitPairs,
  emitPercentOf,
  forPairs,
  type Derivation,
  type Emit,
  type Operation,
  type Space,
} from "./arithmetic.ts";

/** A number to compute with. Times and bytes are in seconds and bytes. */
export interface Operand {
  readonly value: number;
  readonly dimension: string | undefined;
}

const MAX_STATED = 24;

export function converts(dimension: string | undefined): boolean {
  return dimension === "time" || dimension === "byte";
}

/** The figures of the sentence that hold, as operands for `figure`. */
export function statedOperands(
  figure: Figure,
  held: readonly HeldFigure[],
  isCount: boolean,
): readonly Operand[] {
  return held
    .filter(
      (other) => other.figure !== figure && (!other.isCount || isCount || other.figure.unit !== undefined),
    )
    .slice(0, MAX_STATED)
    .map(({ figure: { readings, scale, unit } }) => ({
      value:
        (readings[0]?.value ?? 0) *
        scale *
        (unit !== undefined && (converts(unit.dimension) || unit.dimension === MINOR_CURRENCY)
          ? unit.factor
          : 1),
      dimension: unit?.dimension,
    }));
}

/** Results of times and bytes are also compared in the figure's own unit. */
export function inOwnUnit(figure: Figure, emit: Emit): Emit {
  const unit = figure.unit;
  if (unit === undefined || !converts(unit.dimension)) return emit;
  return (value, operation, dimension, operands) => {
    emit(value, operation, dimension, operands);
    emit(value / unit.factor, operation, undefined, operands);
  };
}

/** Arithmetic whose operands the sentence itself states: it leaves no choice, so matches are free. */
export function statedSpaces(
  figure: Figure,
  claim: Claim,
  held: readonly HeldFigure[],
  operands: readonly Operand[],
  earlier: readonly Derivation[],
): readonly Space[] {
  return [
    // Among more than three figures some pair explains another one by accident.
    {
      name: "stated operands",
      weight: operands.length > 3 && figure.unit === undefined ? 0.1 : 0,
      fill: (emit) => fillStated(figure, claim, held, operands, emit),
    },
    {
      name: "operands of another figure of the sentence",
      weight: 0,
      fill(emit) {
        for (const { operands: pair, operation } of earlier) {
          if (pair === undefined) continue;
          emitPairs(emit, ...pair);
          // `23 agents, 61 % of them in Lisbon` of 14 and 9.
          if (operation === "sum") for (const part of pair) emit((part / (pair[0] + pair[1])) * 100, "share");
          if (operation === "percent-of") emitPercentOf(emit, ...pair);
        }
      },
    },
    { name: "over a longer period", weight: 0.05, fill: (emit) => fillLonger(figure, held, emit) },
    { name: "before rounding", weight: 0, fill: (emit) => fillExact(figure, held, emit) },
    { name: "with earlier figures", weight: 0.15, fill: (emit) => fillEarlier(figure, claim, held, emit) },
    ...(countsTime(figure, claim)
      ? [
          { name: "dates", weight: 0, fill: (emit: Emit) => fillDates(figure, claim, emit) },
          { name: "dates of rows", weight: 0.15, fill: (emit: Emit) => fillRowDates(figure, claim, emit) },
        ]
      : []),
  ];
}

function fillStated(
  figure: Figure,
  claim: Claim,
  held: readonly HeldFigure[],
  operands: readonly Operand[],
  plain: Emit,
): void {
  const emit = inOwnUnit(figure, plain);
  forPairs(operands, (a, b) => {
    emitPairs(emit, a.value, b.value);
    const percent = a.dimension === "percent" || b.dimension === "percent";
    emit(percent ? (a.value * b.value) / 100 : a.value * b.value, "product");
    if (a.dimension !== "percent" && b.dimension === "percent") emitPercentOf(emit, a.value, b.value);
    if (b.dimension !== "percent" && a.dimension === "percent") emitPercentOf(emit, b.value, a.value);
  });
  if (operands.length > 2) {
    const sum = operands.reduce((total, { value }) => total + value, 0);
    emit(sum, "sum");
    emit(sum / operands.length, "average");
  }
  fillWeighted(operands, emit);
  const unit = figure.unit;
  if (unit?.dimension === "time")
    for (const { value, dimension } of operands) if (dimension === "time") plain(value / unit.factor, "sum");
  fillRestated(figure, held, plain);
  fillCounts(figure, held, plain);
  for (const value of claim.formulas) plain(value, "formula");
  for (const reference of referencesOf(claim.text))
    for (const { value, dimension } of operands) {
      emitPairs(emit, value, reference);
      emit(value * reference, "product", dimension);
    }
}

/** `12 (40 %) and 9 (60 %), on average 10.2` */
function fillWeighted(operands: readonly Operand[], emit: Emit): void {
  const weights = operands.filter(({ dimension }) => dimension === "percent");
  const values = operands.filter(({ dimension }) => dimension !== "percent");
  const total = weights.reduce((sum, { value }) => sum + value, 0);
  if (weights.length < 2 || weights.length !== values.length || Math.abs(total - 100) > 1) return;
  const sum = values.reduce((all, { value }, index) => all + value * (weights[index]?.value ?? 0), 0);
  emit(sum / 100, "average", values[0]?.dimension);
}

/** `39,720 MWh (39.7 GWh)`, `48K (49,152 bytes)`: a stated figure in another unit. */
function fillRestated(figure: Figure, held: readonly HeldFigure[], emit: Emit): void {
  const unit = figure.unit;
  if (unit === undefined) return;
  for (const { figure: other } of held.slice(0, MAX_STATED)) {
    if (other === figure) continue;
    if (
      other.unit !== undefined &&
      other.unit.factor !== unit.factor &&
      other.unit.dimension === unit.dimension
    )
      emit(convert(valueOf(other), other.unit, unit), "sum", unit.dimension);
    const power = ["k", "m", "g"].indexOf(
      /^\d[\d.]{0,8}\s?([kmg])$/i.exec(other.raw)?.[1]?.toLowerCase() ?? "",
    );
    if (unit.dimension === "byte" && power >= 0)
      emit(((other.readings[0]?.value ?? 0) * 1024 ** (power + 1)) / unit.factor, "sum", "byte");
  }
}

/** `7.4 % more than a billion`. */
function referencesOf(text: string): readonly number[] {
  const words = text.matchAll(/(?<!\p{L})(?:an?|one|ein(?:e[rn]?)?|une?)\s(\p{L}{4,12})/giu);
  return [...words].flatMap(([, word = ""]) => scaleOf(fold(word)) ?? []);
}

/** `2.25 a month, 27 over a year` */
function fillLonger(figure: Figure, all: readonly HeldFigure[], emit: Emit): void {
  const held = all.slice(0, MAX_STATED).map((one) => one.figure);
  for (const { period, unit, ...other } of held) {
    if (period === undefined) continue;
    const isMonthly = period > 2e6;
    for (const count of isMonthly ? [12, 4, 3] : [24, 7, 52, 365])
      emit(valueOf(other) * count, "product", unit?.dimension);
    emit(valueOf(other) / (isMonthly ? 12 : 24), "average", unit?.dimension);
  }
  const { period } = figure;
  if (period === undefined) return;
  for (const duration of held) {
    const seconds = valueOf(duration) * (duration.unit?.factor ?? 1);
    if (duration.unit?.dimension !== "time" || seconds === 0) continue;
    // `every six minutes, ten times an hour`
    emit(period / seconds, "ratio");
    // `9,400 in three weeks, 450 a day`
    for (const amount of held)
      if (amount !== duration) emit((valueOf(amount) * period) / seconds, "average", amount.unit?.dimension);
  }
}

/** Changes and differences of the values that two stated figures were rounded from. */
function fillExact(figure: Figure, held: readonly HeldFigure[], emit: Emit): void {
  const operands = held.filter((other) => other.figure !== figure && !other.isCount).slice(0, MAX_STATED);
  forPairs(operands, (a, b) => {
    if (a.exact === undefined && b.exact === undefined) return;
    const dimension = a.figure.unit?.dimension ?? b.figure.unit?.dimension;
    for (const x of a.exact ?? [valueOf(a.figure)])
      for (const y of b.exact ?? [valueOf(b.figure)]) {
        emitPairs(emit, x, y, dimension, WITHOUT_RATIO);
        if (a.figure.unit?.dimension !== b.figure.unit?.dimension) emit(x * y, "product");
      }
  });
}

const WITHOUT_RATIO: readonly Operation[] = ["ratio", "sum"];

/** A figure of the sentence, or of an earlier one of its block, with another of those: a total, then a share of it. */
function fillEarlier(figure: Figure, claim: Claim, held: readonly HeldFigure[], plain: Emit): void {
  const emit = inOwnUnit(figure, plain);
  const own = statedOperands(figure, held, false);
  const earlier = statedOperands(figure, claim.blockFigures, false);
  const visit = (a: Operand, b: Operand): void => {
    const isPercent = a.dimension === "percent" || b.dimension === "percent";
    if (a.dimension === b.dimension || a.dimension === undefined || b.dimension === undefined)
      emitPairs(emit, a.value, b.value, a.dimension ?? b.dimension);
    if (a.dimension !== undefined && b.dimension !== undefined) return;
    if (!isPercent) emit(a.value * b.value, "product", a.dimension ?? b.dimension);
  };
  forPairs(earlier, visit);
  for (const a of own) for (const b of earlier) visit(a, b);
}

/** Parts of a year, a day and an hour: a monthly price over a year. */
const PERIODS = [12, 4, 52, 365, 24, 60];

/** An age: a stated year less a year of a cited passage. */
export function ageSpace(figure: Figure, claim: Claim): Space | undefined {
  const [reading] = figure.readings;
  const isAge = figure.unit === undefined || figure.unit.factor > YEAR_SECONDS;
  if (!isAge || reading === undefined || reading.decimals > 0 || reading.value > 200) return undefined;
  const known = claim.cited.flatMap(({ years }) => [...years]).slice(0, MAX_DATES);
  const given = claim.evidence.given.flatMap(({ years }) => [...years]);
  return {
    name: "ages",
    weight: 0.3,
    fill(emit) {
      for (const a of [...claim.years, ...given].slice(0, MAX_DATES))
        for (const b of known) emit(Math.abs(a - b), "difference", figure.unit?.dimension);
    },
  };
}

export function periodSpace(operands: readonly Operand[]): Space {
  return { name: "a year of months", weight: 0.3, fill: (emit) => fillPeriods(operands, emit) };
}

function fillPeriods(operands: readonly Operand[], emit: Emit): void {
  for (const { value, dimension } of operands) {
    if (dimension === "percent") continue;
    for (const period of PERIODS) {
      emit(value * period, "product", dimension);
      emit(value / period, "average", dimension);
    }
  }
}

/** A value per thing, and so many things at a value: `36 months, EUR 1,250, EUR 35 a month`. */
function fillCounts(figure: Figure, all: readonly HeldFigure[], emit: Emit): void {
  const held = all.filter((other) => other.figure !== figure).slice(0, MAX_STATED);
  for (const { figure: a } of held)
    for (const { figure: b } of held) {
      const divisor = valueOf(b);
      if (figure.unit === undefined || a === b || divisor === 0) continue;
      if (a.unit?.dimension === figure.unit.dimension && b.unit?.dimension !== figure.unit.dimension)
        emit(valueOf(a) / divisor, "average");
    }
  forPairs(held, (a, b) => {
    if (!a.isCount && !b.isCount) return;
    if (Number.isInteger(a.figure.readings[0]?.value) && Number.isInteger(b.figure.readings[0]?.value))
      emit(valueOf(a.figure) * valueOf(b.figure), "product");
  });
}

function countsTime(figure: Figure, claim: Claim): boolean {
  if (figure.unit !== undefined) return figure.unit.dimension === "time";
  const isWhole = figure.readings[0]?.decimals === 0 && figure.scale === 1;
  return isWhole && (claim.facts.dates.length > 1 || claim.years.length > 1);
}

/** Between the dates of the rows that the sentence names, and from those to the dates that it states. */
function fillRowDates(figure: Figure, claim: Claim, emit: Emit): void {
  const unit = figure.unit?.factor ?? DAY;
  const known = [...claim.namedRows].flatMap(([table, rows]) =>
    rows.flatMap((row) => (table.rowDates[row] ?? []).filter(({ day }) => day !== undefined)),
  );
  forPairs(
    [...known, ...claim.facts.dates.filter(({ year }) => year !== undefined)].slice(0, MAX_DATES),
    (a, b) => {
      const seconds = Math.abs(timestamp(a, 2000) - timestamp(b, 2000));
      emit(seconds / unit, "difference");
      emit((seconds + DAY) / unit, "difference");
      if (unit > 2e6) emit(Math.round(seconds / unit), "difference");
    },
  );
}

const YEAR_SECONDS = 3e7;
const DAY = 86_400;
const MAX_DATES = 12;

/** Days, months or years between dates of the sentence, or between one of them and one of a cited passage. */
function fillDates(figure: Figure, claim: Claim, emit: Emit): void {
  const passageYears = [...new Set(claim.cited.flatMap(({ years }) => [...years]))].slice(0, MAX_DATES);
  const year = claim.years[0] ?? passageYears[0] ?? 2000;
  const stated = claim.facts.dates.slice(0, MAX_DATES);
  const known = claim.cited
    .flatMap(({ dates }) => dates.filter(({ month }) => month !== undefined))
    .slice(0, MAX_DATES);
  const unit = figure.unit?.factor ?? DAY;
  if (figure.unit !== undefined && figure.unit.factor > 2e6)
    forPairs(known, (a, b) => {
      if (a.day === undefined && b.day === undefined)
        emit(Math.round(Math.abs(timestamp(a, year) - timestamp(b, year)) / unit) + 1, "difference");
    });
  forPairs(stated.length > 1 ? stated : [...stated, ...known], (a, b) => {
    const seconds = Math.abs(timestamp(a, year) - timestamp(b, year));
    emit(seconds / unit, "difference");
    emit((seconds + DAY) / unit, "difference");
    if (unit > 2e6 && unit < YEAR_SECONDS) emit(Math.round(seconds / unit), "difference");
    // `from January to September`
    if (a.day === undefined && b.day === undefined && unit > 2e6)
      emit(Math.round(seconds / unit) + 1, "difference");
  });
  if (figure.unit !== undefined && figure.unit.factor < YEAR_SECONDS) return;
  const statedYears = claim.years.slice(0, MAX_DATES);
  forPairs(statedYears, (a, b) => emit(Math.abs(a - b), "difference"));
  // "for the first time in three years" above the columns of three years.
  if (figure.isWord)
    forPairs(passageYears, (a, b) => {
      emit(Math.abs(a - b), "difference");
      emit(Math.abs(a - b) + 1, "count");
    });
  for (const a of statedYears) for (const b of passageYears) emit(Math.abs(a - b), "difference");
}
