import type { Claim } from "../claim.ts";
import type { Figure } from "../text/numbers.ts";
import { scalesOfCells } from "./figures.ts";

/** Characters between a bare figure and one whose scale and unit it shares. */
const MAX_GAP = 16;
const MAX_GAP_BACK = 24;

/** `1.1 of 1.9 billion`, `from EUR 2.4 to 4.2 million`: the first one is in billions or millions too. */
export function sharedScale(figure: Figure, claim: Claim): Figure | undefined {
  const { unit } = figure;
  const isMoney = unit?.dimension.startsWith("currency:") === true;
  if ((unit !== undefined && !isMoney) || figure.scale !== 1 || figure.isWord) return undefined;
  const next = claim.facts.figures.find(
    (other) =>
      other.start > figure.end &&
      other.start - figure.end < MAX_GAP &&
      !other.isWord &&
      (other.scale > 1 || (!isMoney && other.unit !== undefined)),
  );
  const before = claim.facts.figures.findLast(
    (other) =>
      other.end < figure.start && figure.start - other.end < MAX_GAP_BACK && !other.isWord && other.scale > 1,
  );
  // `EUR 11.3 million in 2024 and 12.3 in 2025`
  if (next === undefined)
    return before === undefined || (before.unit !== undefined && isMoney)
      ? undefined
      : { ...figure, scale: before.scale, ...(before.unit === undefined ? {} : { unit: before.unit }) };
  if (isMoney && next.unit !== undefined && next.unit.dimension !== unit.dimension) return undefined;
  const shared = unit ?? next.unit;
  return { ...figure, scale: next.scale, ...(shared === undefined ? {} : { unit: shared }) };
}

/** `2.2 million` from cells that are in millions, or in thousands where the table has no scale of its own. */
export function variantsOf(figure: Figure, claim: Claim): readonly Figure[] {
  if (figure.scale === 1) {
    const shared = sharedScale(figure, claim);
    const written = shared === undefined ? [figure] : [figure, shared];
    // `EUR 365,000` from cells that are in thousands.
    const size = figure.readings[0]?.value ?? 0;
    const ofPassages = claim.cited
      .filter(({ figures }) => figures.some(({ column }) => column !== undefined))
      .flatMap(({ scales }) => [...scales]);
    for (const scale of new Set([
      ...claim.evidence.tables.flatMap((table) => [...table.scales]),
      ...ofPassages,
    ]))
      if (size > 0 && size % scale === 0 && figure.unit?.dimension.startsWith("currency:") === true)
        written.push({ ...figure, scale: 1 / scale });
    return written;
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
