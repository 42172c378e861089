import type { Figure } from "../text/numbers.ts";
import { isComparable, type Unit } from "../text/units.ts";
import type { Emit } from "./arithmetic.ts";

/** An operand, or what some of them give. */
export interface Term {
  /** In the base unit of its dimension; points in time in seconds. */
  readonly value: number;
  /** Of a unit, or one of those below; undefined for a plain number. */
  readonly dimension: string | undefined;
  /** Base units in the unit it is written in; 1 where absent. */
  readonly factor?: number;
  /** Of a table's column, such as 1000 of one in thousands: the value may have to be multiplied by it. */
  readonly scale?: number;
  /** Such as the 12 months of a year, which is in no evidence. */
  readonly isConstant?: boolean;
  /** A unit that stands beside another figure of its sentence, which it may have too. */
  readonly shared?: Unit;
}

/** A cell of a table without a unit, which its caption or column may have. */
export const ANY = "any";
export const YEAR = "point:year";
export const DAY = "point:day";
/** A time of day. */
export const CLOCK = "point:clock";

export const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365.25 * DAY_SECONDS;
const MAX_PERIODS = 50;

/** Expressions of more operands explain any figure. */
const MAX_OPERANDS = 4;

/** Every expression in which each operand stands once. */
export function fillExpressions(terms: readonly Term[], figure: Figure, emit: Emit): void {
  if (terms.length > MAX_OPERANDS) return;
  const visit = (left: readonly Term[]): void => {
    const [only] = left;
    if (left.length === 1 && only !== undefined) emitTerm(only, figure, emit);
    for (const [index, a] of left.entries())
      for (let at = index + 1; at < left.length; at++) {
        const rest = left.filter((_, other) => other !== index && other !== at);
        for (const result of combine(a, left[at] as Term, figure)) visit([...rest, result]);
      }
  };
  visit(terms);
}

/**
 * What a list of operands of one kind gives: their number, sum, average and median, the range, the share of each, the
 * first ones compared with the rest, and sums of products with the weighted average.
 */
export function fillLists(terms: readonly Term[], figure: Figure, emit: Emit): void {
  const [first] = terms;
  if (first === undefined) return;
  emitTerm({ value: terms.length, dimension: undefined }, figure, emit);
  const put = (value: number, dimension: string | undefined): void =>
    emitTerm({ value, dimension }, figure, emit);
  const values = terms.map(({ value }) => value);
  if (terms.every((term) => areAlike(first, term) && !isPoint(term))) {
    const dimension = terms.find((term) => term.dimension !== ANY)?.dimension ?? first.dimension;
    const sum = total(values);
    const sorted = values.toSorted((a, b) => a - b);
    const [low = 0, high = 0] = [sorted[0], sorted.at(-1)];
    const middle = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
    for (const value of [sum, sum / values.length, total(middle) / 2, high - low]) put(value, dimension);
    for (const value of values) put(value / sum, undefined);
    const [a = 0, b = 0, c = 0, d = 0] = values;
    if (values.length === 4)
      for (const ratio of [(a - b) / (c - d), (c - d) / (a - b)]) put(ratio, undefined);
    for (let at = 1; at < values.length; at++) {
      const before = total(values.slice(0, at));
      put(Math.abs(2 * before - sum), dimension);
      put(before / (sum - before), undefined);
      put((sum - before) / before, undefined);
    }
  }
  if (terms.length === 4) {
    // Two amounts per thing compared.
    const [a = 0, b = 0, c = 0, d = 0] = values;
    for (const ratio of [a / b / (c / d), c / d / (a / b)]) put(ratio, undefined);
  }
  if (terms.length > 3 && terms.length % 2 === 0) {
    const half = terms.length / 2;
    const even = terms.filter((_, index) => index % 2 === 0);
    const odd = terms.filter((_, index) => index % 2 === 1);
    for (const [as, bs] of [[even, odd] as const, [terms.slice(0, half), terms.slice(half)] as const])
      fillWeighted(as, bs, figure, put);
  }
}

type Put = (value: number, dimension: string | undefined) => void;

function fillWeighted(as: readonly Term[], bs: readonly Term[], figure: Figure, put: Put): void {
  const products = as.map((a, index) => combine(a, bs[index] as Term, figure)[0]?.value ?? 0);
  const product = total(as.map((a, index) => a.value * (bs[index]?.value ?? 0)));
  const dimensions = [as[0]?.dimension, bs[0]?.dimension].filter((one) => one !== undefined);
  const dimension = dimensions.find((one) => one !== ANY && one !== "percent") ?? dimensions[0];
  if (dimensions.includes("percent")) put(product / 100, dimension);
  else put(product, dimension);
  put(total(products), dimension);
  put(product / total(as.map(({ value }) => value)), bs[0]?.dimension);
  put(product / total(bs.map(({ value }) => value)), as[0]?.dimension);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function isPoint({ dimension }: Term): boolean {
  return dimension?.startsWith("point:") === true;
}

function areAlike(a: Term, b: Term): boolean {
  if (a.dimension === b.dimension || a.dimension === ANY || b.dimension === ANY) return true;
  return a.dimension !== undefined && b.dimension !== undefined && isComparable(a.dimension, b.dimension);
}

/** Results of arithmetic with two terms. */
function combine(a: Term, b: Term, figure: Figure): readonly Term[] {
  if (isPoint(a) || isPoint(b)) return a.dimension === b.dimension ? between(a, b) : [];
  const [percent, other] = b.dimension === "percent" ? [b, a] : [a, b];
  if (percent.dimension === "percent" && other.dimension !== "percent" && other.dimension !== "points")
    return percentOf(percent.value, other);
  const results: Term[] = [];
  const put = (value: number, dimension: string | undefined): void => {
    const factor = a.factor ?? b.factor;
    if (Number.isFinite(value))
      results.push({ value, dimension, ...(dimension !== undefined && factor !== undefined && { factor }) });
  };
  const x = a.value;
  const y = b.value;
  if (percent.dimension === "percent") put((x * y) / 100, "percent");
  if (areAlike(a, b)) {
    const dimension = a.dimension === ANY ? b.dimension : a.dimension;
    put(x + y, dimension);
    put(Math.abs(x - y), dimension);
    // A cell without a unit may be of the same kind, or a number of things.
    const isCell = a.dimension === ANY || b.dimension === ANY;
    put(x / y, isCell ? ANY : undefined);
    put(y / x, isCell ? ANY : undefined);
  }
  if (a.dimension === undefined && b.dimension === undefined) {
    put(x * y, undefined);
    // The yearly growth of a ratio.
    if (isPeriods(y) && x > 0) put(x ** (1 / y), undefined);
    if (isPeriods(x) && y > 0) put(y ** (1 / x), undefined);
  } else if (a.dimension === undefined || b.dimension === undefined) {
    const [number, amount] = a.dimension === undefined ? [x, b] : [y, a];
    put(amount.value * number, amount.dimension);
    put(amount.value / number, amount.dimension);
    // `21,957 visits in 35 nights, 627 a night`
    if (amount.dimension === "time" && figure.unit === undefined)
      put((number * (amount.factor ?? 1)) / amount.value, undefined);
  } else if (!areAlike(a, b) && figure.unit !== undefined) {
    results.push(...ofTwoKinds(a, b));
  } else if (a.dimension === "energy" && b.dimension === "power") {
    // Full-load hours.
    put(x / y / 3600, undefined);
  } else if (a.dimension === ANY || b.dimension === ANY) {
    put(x * y, ANY);
  }
  return results;
}

/**
 * Products and quotients of two units, such as euros a kilogram and kilograms. In which multiple of its unit a rate is
 * meant is not known: `EUR 78 per MWh` and GWh.
 */
function ofTwoKinds(a: Term, b: Term): readonly Term[] {
  const x = a.value / (a.factor ?? 1);
  const y = b.value / (b.factor ?? 1);
  return [x * y, x / y, y / x].flatMap((value) =>
    [1e-6, 1e-3, 1, 1e3, 1e6].map((power): Term => ({ value: value * power, dimension: ANY })),
  );
}

function isPeriods(value: number): boolean {
  return Number.isInteger(value) && value >= 2 && value <= MAX_PERIODS;
}

function between(a: Term, b: Term): readonly Term[] {
  const span = Math.abs(a.value - b.value);
  if (a.dimension === YEAR)
    return [
      { value: span, dimension: undefined },
      { value: span + 1, dimension: undefined },
      { value: span * YEAR_SECONDS, dimension: "time" },
    ];
  const isDay = a.dimension === DAY;
  const spans = isDay ? [span, span + DAY_SECONDS] : [span, DAY_SECONDS - span];
  // A date without a year may be of the year before or after.
  if (isDay && span < YEAR_SECONDS) spans.push(365 * DAY_SECONDS - span, 366 * DAY_SECONDS - span);
  return spans.map((value) => ({ value, dimension: "time", factor: isDay ? DAY_SECONDS : 3600 }));
}

function percentOf(percent: number, { value, dimension }: Term): readonly Term[] {
  const part = percent / 100;
  const results = [value * part, value * (1 + part), value * (1 - part), value / (1 + part), value / part];
  if (part < 1) results.push(value / (1 - part));
  const terms = results.map((result): Term => ({ value: result, dimension }));
  if (dimension === ANY)
    for (const result of [value + percent, Math.abs(value - percent)])
      terms.push({ value: result, dimension: "percent" });
  if (dimension === undefined && isPeriods(value))
    for (const growth of [1 + part, 1 - part]) terms.push({ value: growth ** value, dimension: undefined });
  return terms;
}

/** Emits a value where it can be what the figure states, in the unit of the figure. */
export function emitTerm({ value, dimension, factor = 1 }: Term, figure: Figure, emit: Emit): void {
  const { unit } = figure;
  const isPlain = dimension === undefined || dimension === ANY;
  if (unit?.dimension === "percent") {
    if (dimension === "percent" || dimension === ANY) emit(value, "sum", "percent");
    if (!isPlain) return;
    emit(value * 100, "share");
    emit(Math.abs(value - 1) * 100, "change");
    // One part of two, and the other one.
    emit((value / (1 + value)) * 100, "share");
    emit(100 / (1 + value), "share");
  } else if (unit?.dimension === "points" || unit?.dimension === "basis") {
    const isShare = dimension === "percent" || dimension === "points" || isPlain;
    if (isShare) emit(unit.dimension === "basis" ? value * 100 : value, "difference", unit.dimension);
    if (isPlain) emit(value * 100, "difference", unit.dimension);
  } else if (unit !== undefined) {
    if (dimension === ANY && unit.factor !== 1) emit(value, "sum");
    if (dimension === ANY || (dimension !== undefined && isComparable(dimension, unit.dimension)))
      emit(value / unit.factor, "sum");
  } else if (dimension?.startsWith("point:") !== true) {
    // `6 points and 13`: the unit may stand beside another figure, or above the column.
    emit(value / factor, "sum");
    if (figure.inTable === true && dimension === "time")
      for (const seconds of [60, 3600, DAY_SECONDS]) emit(value / seconds, "sum");
  }
}
