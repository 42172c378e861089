import type { Claim } from "../claim.ts";
import type { Figure } from "../text/numbers.ts";
import { scalesOfCells } from "./figures.ts";

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

/** `2.2 million` from cells that are in millions, or in thousands where the table has no scale of its own. */
export function variantsOf(figure: Figure, claim: Claim): readonly Figure[] {
  if (figure.scale === 1) {
    const shared = sharedScale(figure, claim);
    return shared === undefined ? [figure] : [figure, shared];
  }
  const withCells = claim.cited.filter(({ figures }) => figures.some(({ column }) => column !== undefined));
  const scales = new Set([
    ...withCells.flatMap((passage) => scalesOfCells(passage)),
    ...claim.evidence.tables.flatMap((table) => [...table.scales]),
  ]);
  const variants = [figure];
  for (const scale of scales)
    if (scale <= figure.scale) variants.push({ ...figure, scale: figure.scale / scale });
  return variants;
}
