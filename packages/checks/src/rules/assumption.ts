import type { Claim } from "../claim.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { lastDigit } from "./figures.ts";

interface OpenFigure {
  readonly figure: Figure;
  readonly isCount: boolean;
}

/** Figures of a sentence that assumes a value and computes with it. */
const MAX_ASSUMED = 6;

/**
 * `With --wait=20 they come 10 to 30 seconds apart`: the sentence assumes a value, and the others are that value times
 * a figure of its passages.
 */
export function findAssumption(open: readonly OpenFigure[], { cited }: Claim): Figure | undefined {
  const figures = open
    .filter(({ figure, isCount }) => !isCount && !figure.isYear)
    .map(({ figure }) => figure);
  const [assumed, ...results] = figures;
  if (assumed === undefined || results.length === 0 || figures.length > MAX_ASSUMED) return undefined;
  // Of percentages some factor explains any.
  if (figures.length < open.length || figures.some(({ unit }) => unit?.dimension === "percent"))
    return undefined;
  const factors = cited.flatMap((passage) => passage.figures.filter(({ isYear }) => !isYear));
  const known: Figure[] = [];
  const follows = (figure: Figure): boolean => {
    const [reading] = figure.readings;
    const slack = reading === undefined ? 0 : lastDigit(reading, figure);
    const isNear = (value: number): boolean => Math.abs(value - valueOf(figure)) <= slack;
    const fits = factors.some((factor) => {
      const isPercent = factor.unit?.dimension === "percent";
      const part = isPercent ? valueOf(factor) / 100 : valueOf(factor);
      const factorOf = factor.unit?.factor ?? 1;
      // The rate may be in cents, and its sum with a fixed amount.
      const products = [part, part * factorOf].map((one) => valueOf(assumed) * one);
      const isProduct =
        part !== 1 && (assumed.unit === undefined || factor.unit !== undefined) && products.some(isNear);
      return isProduct || known.some((other) => isNear(valueOf(other) + valueOf(factor)));
    });
    if (fits) known.push(figure);
    return fits;
  };
  return results.every(follows) ? assumed : undefined;
}
