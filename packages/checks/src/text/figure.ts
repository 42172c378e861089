import type { Span } from "./fold.ts";
import type { Unit } from "./units.ts";

/** A value that the digits of a figure may have. `1.450` has two where the language is not known. */
export interface Reading {
  readonly value: number;
  /** Digits after the decimal separator, which say how exact the figure is; below 0 for a range such as `tens of thousands`. */
  readonly decimals: number;
}

/** A number in a text, with the power of ten and the unit beside it. */
export interface Figure extends Span {
  readonly raw: string;
  /** Most likely first; without `scale`. */
  readonly readings: readonly Reading[];
  /** 1e6 in `1.2 million`. */
  readonly scale: number;
  readonly unit?: Unit;
  readonly negative: boolean;
  /** Four digits that look like a year. */
  readonly isYear: boolean;
  /** Spelled in letters. */
  readonly isWord: boolean;
  /** Parts of a number that is grouped by spaces, which may be several numbers side by side. */
  readonly groups?: readonly string[];
  /** After a word such as `about`. */
  readonly isRough?: boolean;
  /** Seconds of the period it is for: `480 a month`, `300M downloads / week`. */
  readonly period?: number;
  /** The unit of which it is an amount for each one: `£7.40 per square foot`. */
  readonly per?: Unit;
  /** In a row of a table of the answer, whose header may give the scale. */
  readonly inTable?: boolean;
}

/** `twice`, `doubled`: says something of two other figures. */
export interface Multiple extends Span {
  readonly raw: string;
  readonly value: number;
}

export interface Figures {
  readonly figures: readonly Figure[];
  readonly multiples: readonly Multiple[];
}
