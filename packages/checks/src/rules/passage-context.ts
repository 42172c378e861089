import type { Claim, HeldFigure } from "../claim.ts";
import type { Passage, PassageFigure, PassageRow } from "../evidence/passage.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { convert, isComparable } from "../text/units.ts";

/** A figure that is computed from those of one passage. */
export interface PassageContext {
  readonly figure: Figure;
  readonly passage: Passage;
  /** Its figures, years left out. */
  readonly figures: readonly PassageFigure[];
  /** Those that the sentence states. */
  readonly stated: ReadonlySet<PassageFigure>;
  readonly held: readonly HeldFigure[];
  readonly claim: Claim;
  /** Rows that the sentence names, in part at least. */
  readonly near: ReadonlySet<PassageRow>;
}

/** A value of the passage, in the figure's unit where it converts. */
export function valueFor(figure: Figure, other: Figure): number {
  const value = valueOf(other);
  if (figure.unit === undefined || other.unit === undefined || figure.unit.factor === other.unit.factor)
    return value;
  return isComparable(figure.unit.dimension, other.unit.dimension)
    ? convert(value, other.unit, figure.unit)
    : value;
}

export function mayCombine(a: Figure, b: Figure): boolean {
  return a.unit === undefined || b.unit === undefined || isComparable(a.unit.dimension, b.unit.dimension);
}
