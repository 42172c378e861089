import { lastDigit } from "./rules/figures.ts";
import { readFacts } from "./text/facts.ts";
import { fold } from "./text/fold.ts";
import { guessLanguage } from "./text/language.ts";
import { valueOf, type Figure, type Reading } from "./text/numbers.ts";
import { convert, isComparable, unitOf, type Unit } from "./text/units.ts";

/** A number that a text should state. */
export interface WantedFigure {
  readonly value: number;
  /** Such as `EUR`, `%` or `hours`; an unknown unit has to be somewhere in the text. */
  readonly unit?: string;
  /** Half of the last digit of `value`, where it is rounded. */
  readonly rounding?: number;
}

/** How a number may differ from the one that is wanted, as an amount or as a share of it. */
export interface FigureTolerance {
  readonly amount?: number;
  readonly share?: number;
}

export interface FoundFigure {
  readonly isFound: boolean;
  /** Figures of the text as they are written, the closest to the wanted value first. */
  readonly figures: readonly string[];
}

/** Without a tolerance, a figure may be rounded to its last digit, but by no more than this share. */
const MAX_ROUNDING = 0.01;

/** Reads `EUR 1.9 million` or `45 %`; undefined unless the text is one figure with its unit. */
export function readFigure(text: string): WantedFigure | undefined {
  const { figures } = readFacts(text, { language: "en", strict: true });
  const [figure] = figures;
  const [reading] = figure?.readings ?? [];
  if (figure === undefined || reading === undefined || figures.length > 1) return undefined;
  const rest = `${text.slice(0, figure.start)} ${text.slice(figure.end)}`.replaceAll(/[-−–\s]+/g, " ").trim();
  const sign = figure.negative ? -1 : 1;
  const unit = unitIn(text, figure) ?? rest;
  return {
    value: sign * valueOf(figure),
    rounding: lastDigit(reading, figure),
    ...(unit === "" ? {} : { unit }),
  };
}

/** The unit of a figure as it is written there. */
function unitIn(text: string, figure: Figure): string | undefined {
  if (figure.unit === undefined) return undefined;
  const words = text.match(/[^\s\d.,]+/g) ?? [];
  return words.find((word) => {
    const unit = unitOf(word);
    return (
      unit !== undefined && unit.dimension === figure.unit?.dimension && unit.factor === figure.unit.factor
    );
  });
}

/**
 * Whether a text states a number, however it is written: `1,900,000`, `1.9 million` and `EUR 1.9m` are one. Without a
 * tolerance, it may be rounded to the last digit that is written, by at most 1 %.
 */
export function findFigure(text: string, wanted: WantedFigure, tolerance: FigureTolerance = {}): FoundFigure {
  const { figures } = readFacts(text, { language: guessLanguage(text) });
  const unit = wanted.unit === undefined ? undefined : unitOf(wanted.unit);
  const named = wanted.unit !== undefined && namesUnit(text, wanted.unit);
  const distanceOf = (figure: Figure): number =>
    Math.min(...figure.readings.map((reading) => distance(figure, reading, wanted, unit)));
  const isFound = figures.some((figure) => {
    if (wanted.unit !== undefined && !hasUnit(figure, unit, named)) return false;
    return figure.readings.some(
      (reading) => distance(figure, reading, wanted, unit) <= slack(figure, reading, wanted, tolerance),
    );
  });
  const closest = figures.toSorted((a, b) => distanceOf(a) - distanceOf(b)).map(({ raw }) => raw.trim());
  return { isFound, figures: [...new Set(closest)] };
}

const namesUnit = (text: string, unit: string): boolean => fold(text).includes(fold(unit));

function hasUnit(figure: Figure, wanted: Unit | undefined, named: boolean): boolean {
  if (wanted === undefined || figure.unit === undefined) return named;
  return isComparable(figure.unit.dimension, wanted.dimension);
}

function distance(figure: Figure, reading: Reading, wanted: WantedFigure, unit: Unit | undefined): number {
  const value = reading.value * figure.scale;
  const own = figure.unit;
  const converts = unit !== undefined && own !== undefined && isComparable(own.dimension, unit.dimension);
  const inUnit = converts && own.factor !== unit.factor ? convert(value, own, unit) : value;
  // A loss may be written as `-3 %` or in words.
  return Math.min(Math.abs(inUnit - wanted.value), Math.abs(-inUnit - wanted.value));
}

function slack(figure: Figure, reading: Reading, wanted: WantedFigure, tolerance: FigureTolerance): number {
  const epsilon = 1e-9 * Math.max(1, Math.abs(wanted.value));
  const { amount, share } = tolerance;
  if (amount !== undefined) return amount + epsilon;
  if (share !== undefined) return share * Math.abs(wanted.value) + epsilon;
  const rounded = Math.max(lastDigit(reading, figure), wanted.rounding ?? 0);
  return Math.min(rounded, MAX_ROUNDING * Math.abs(wanted.value)) + epsilon;
}
