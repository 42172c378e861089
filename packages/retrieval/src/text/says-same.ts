import { findDates } from "./dates.ts";
import { findFigures } from "./figures.ts";
import { jaccard } from "./similarity.ts";

/** What two sentences are compared by. */
export interface Comparable {
  /** Content words. */
  readonly keys: ReadonlySet<string>;
  /** As `figuresIn` gives them. */
  readonly figures: string;
}

/** Two sentences with this share of content words in common say the same. */
const SAME = 0.7;

/** The same figures and dates in mostly the same words. */
export function saysSame(a: Comparable, b: Comparable): boolean {
  return a.figures === b.figures && jaccard(a.keys, b.keys) >= SAME;
}

/** The figures and dates of a text, by value and in one order; empty when it has none. */
export function figuresIn(text: string): string {
  return [
    ...findFigures(text).map((figure) => String(figure.values[0])),
    ...findDates(text).map(({ iso }) => iso),
  ]
    .toSorted()
    .join(" ");
}
