import type { DerivedFigure } from "@troupe/core";

import type { Claim, HeldFigure } from "../claim.ts";
import { significantDigits, type Figure } from "../text/numbers.ts";
import { searchSpaces, type Budget, type Derivation, type Space } from "./arithmetic.ts";
import { onEarlierBase } from "./change-base.ts";
import { durationSpaces } from "./durations.ts";
import { fromNamedOperands } from "./named-operands.ts";
import { variantsOf } from "./shared-scale.ts";
import { acrossPassages, passageSpaces } from "./passage-spaces.ts";
import { ageSpace, periodSpace, statedOperands, statedSpaces } from "./stated-spaces.ts";
import { looseTableSpaces, tableSpaces } from "./table-spaces.ts";
import { workedExamples } from "./worked-examples.ts";

/** What figures may be derived from, and how readily. */
export interface DeriveContext {
  readonly claim: Claim;
  readonly held: readonly HeldFigure[];
  /** Figures of the sentence that were derived before. */
  readonly earlier: readonly Derivation[];
  readonly bound: number;
  readonly budget: Budget;
  readonly named: readonly DerivedFigure[];
  /** The evidence has the number with another unit, which is then most likely what was meant. */
  readonly hasOtherUnit?: boolean;
}

/** Recomputes a figure that stands in no evidence from figures that do. */
export function derive(figure: Figure, isCount: boolean, context: DeriveContext): Derivation | undefined {
  const { claim, budget } = context;
  const bound = isMisread(figure, claim) ? context.bound * MISREAD : context.bound;
  const variants = variantsOf(figure, claim);
  const all = spacesFor(figure, isCount, context);
  const spaces = figure.unit?.dimension === "percent" ? onEarlierBase(all, claim) : all;
  return searchSpaces(figure, variants, spaces, bound, budget);
}

/** Recomputes a figure from the operands that the model named. */
export function deriveFromNamed(figure: Figure, context: DeriveContext): Derivation | undefined {
  return fromNamedOperands(figure, context);
}

/** A figure that is one digit off another of the evidence is rather a slip than the result of arithmetic. */
const MISREAD = 0.3;
/** Figures of a passage or result that a figure is compared with. */
const MAX_COMPARED = 400;

function isMisread(figure: Figure, { cited, fullyNamedRows }: Claim): boolean {
  const [reading] = figure.readings;
  if (reading === undefined || figure.isWord || significantDigits(figure) < 2) return false;
  const written = String(reading.value);
  const isSlip = (other: Figure): boolean =>
    other.unit?.dimension === figure.unit?.dimension &&
    !other.isYear &&
    other.readings.some(({ value }) => isOneSlip(written, String(value)));
  const cells = [...fullyNamedRows].flatMap(([table, rows]) =>
    table.cells.filter(({ row }) => rows.includes(row)).slice(0, MAX_COMPARED),
  );
  return (
    cited.some(({ figures }) => figures.slice(0, MAX_COMPARED).some(isSlip)) ||
    cells.some(({ value }) => isOneSlip(written, String(value)))
  );
}

/** One digit changed, or the same digits in another order. */
function isOneSlip(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  const differing = a.split("").filter((digit, at) => digit !== b[at]);
  const sorted = (digits: string): string => digits.split("").sort().join("");
  return differing.length === 1 || sorted(a) === sorted(b);
}

function* spacesFor(figure: Figure, isCount: boolean, context: DeriveContext): Generator<Space> {
  const { claim, held, earlier } = context;
  const own = statedOperands(figure, held, isCount);
  yield* statedSpaces(figure, claim, held, own, earlier);
  yield* durationSpaces(figure, claim);
  if (context.budget.candidates <= 0) return;
  yield* workedExamples(figure, claim, held, context.hasOtherUnit === true);
  yield* tableSpaces(figure, claim, own);
  yield* passageSpaces(figure, claim, held);
  const ages = ageSpace(figure, claim);
  if (ages !== undefined) yield ages;
  if (context.hasOtherUnit !== true) yield periodSpace(own);
  yield* looseTableSpaces(figure, claim);
  if (claim.cited.length + claim.evidence.tables.length > 1) yield acrossPassages(figure, claim);
}
