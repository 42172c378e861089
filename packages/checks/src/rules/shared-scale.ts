import type { Claim } from "../claim.ts";
import type { Figure } from "../text/numbers.ts";

/** Characters between a bare figure and one whose scale and unit it shares. */
const MAX_GAP = 16;

/** `1.1 of 1.9 billion`: the first one is in billions too. */
export function sharedScale(figure: Figure, claim: Claim): Figure | undefined {
  if (figure.unit !== undefined || figure.scale !== 1 || figure.isWord) return undefined;
  const next = claim.facts.figures.find(
    (other) =>
      other.start > figure.end &&
      other.start - figure.end < MAX_GAP &&
      !other.isWord &&
      (other.scale > 1 || other.unit !== undefined),
  );
  if (next === undefined) return undefined;
  return { ...figure, scale: next.scale, ...(next.unit === undefined ? {} : { unit: next.unit }) };
}
