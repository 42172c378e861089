import { valueOf, type Figure } from "../text/numbers.ts";
import { isComparable } from "../text/units.ts";
import type { Emit } from "./arithmetic.ts";
import type { PassageContext } from "./passage-context.ts";

/** Prices that are summed at most, in the order of the text. */
const MAX_PRICES = 4;
/** Prices and numbers of a passage that are tried. */
const MAX_TRIED = 24;
/** Characters between the sides of an area. */
const MAX_GAP = 6;

/**
 * `€249 for 44 lunches and 48 snacks` of "44 lunches and 48 snacks" and "€4.35 a lunch and €1.20 a snack", and
 * `312.5 m²` of "25 × 12.5 m".
 */
export function fillProducts({ figure, figures }: PassageContext, emit: Emit): void {
  const { unit } = figure;
  if (unit?.dimension.startsWith("currency:") === true) fillPrices(figure, figures, emit);
  if (unit?.dimension !== "area") return;
  for (const [index, a] of figures.entries()) {
    const b = figures[index + 1];
    if (b?.unit?.dimension !== "length" || b.start - a.end > MAX_GAP) continue;
    const { factor } = b.unit;
    emit((valueOf(a) * factor * valueOf(b) * factor) / unit.factor, "product", unit.dimension);
  }
}

const COUNTED: readonly (string | undefined)[] = [undefined, "mass", "volume", "length", "area"];

function fillPrices({ unit }: Figure, figures: readonly Figure[], emit: Emit): void {
  const inOrder = figures.toSorted((a, b) => a.start - b.start);
  const isPrice = (one: Figure): boolean => isComparable(one.unit?.dimension ?? "", unit?.dimension ?? "");
  const prices = inOrder.filter(isPrice).slice(0, MAX_TRIED);
  const counts = inOrder.filter((one) => COUNTED.includes(one.unit?.dimension)).slice(0, MAX_TRIED);
  const product = (price: Figure, count: Figure | undefined): number =>
    valueOf(price) * (price.unit?.factor ?? 1) * (count === undefined ? 0 : valueOf(count));
  for (let size = 2; size <= Math.min(MAX_PRICES, prices.length); size++)
    for (let from = 0; from + size <= prices.length; from++)
      for (let at = 0; at + size <= counts.length; at++) {
        const products = prices
          .slice(from, from + size)
          .map((price, index) => product(price, counts[at + index]));
        const sum = products.reduce((total, one) => total + one, 0);
        emit(sum / (unit?.factor ?? 1), "sum", unit?.dimension);
      }
}
