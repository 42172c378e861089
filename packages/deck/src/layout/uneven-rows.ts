import { minHeight, textHeight, type Fittable } from "./fit.ts";
import type { Box } from "./grid.ts";

/** Inches kept above and below a text in its row. */
const AIR = 0.06;

/**
 * Rows for texts of which one is much longer than the others: each as tall as its text needs at the
 * largest of `sizes` (descending) at which all stand in `area`, and what is left shared out evenly.
 */
export function unevenRows(
  texts: readonly Fittable[],
  sizes: readonly number[],
  area: Box,
): { readonly size: number; readonly rows: readonly Box[] } {
  const needsAt = (size: number): readonly number[] =>
    texts.map(({ runs, box, bold }) => textHeight(runs, size, box.w, bold) + 2 * AIR);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const isFar = (one: number): boolean =>
    sum(texts.map(({ runs, box, bold }) => minHeight(runs, one, box.w, bold) + 2 * AIR)) > area.h;
  const size = sizes.find((one) => !isFar(one) && sum(needsAt(one)) <= area.h) ?? sizes.at(-1) ?? 12;
  const needs = needsAt(size);
  const spare = Math.max(0, area.h - sum(needs)) / needs.length;
  let y = area.y;
  const rows = needs.map((need) => {
    const row = { ...area, y, h: need + spare };
    y += row.h;
    return row;
  });
  return { size, rows };
}
