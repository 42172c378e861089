import {
  countLines,
  LINE_HEIGHT,
  longestWord,
  minLines,
  textWidth,
  type Measurable,
} from "../text/measure.ts";
import type { Run } from "./element.ts";
import type { Box } from "./grid.ts";

/** Kept free of the width: hinting and a substitute font differ by a little. */
const TOLERANCE = 0.985;
/** A raised mark is drawn at this share of the size. */
const RAISED = 0.67;

/** Statements, quotes and agenda items are not set smaller than this: what has no room at it continues. */
export const MIN_TEXT_PT = 14;
/** Columns are not torn apart, so they may shrink further. */
export const MIN_COLUMN_PT = 12;

/** A text to be fitted. */
export interface Fittable {
  readonly runs: readonly Run[];
  readonly box: Box;
  readonly bold?: boolean;
}

/** Height of one paragraph in inches when set `size` points high in `width` inches. */
export function textHeight(runs: readonly Run[], size: number, width: number, bold = false): number {
  return (linesOf(runs, size, width, bold) * size * LINE_HEIGHT) / 72;
}

export function linesOf(runs: readonly Run[], size: number, width: number, bold = false): number {
  return countLines(measurable(runs, size, bold), size, width * 72 * TOLERANCE);
}

/** Width in inches of a text on one line, with the tolerance of the others. */
export function lineWidth(runs: readonly Run[], size: number, bold = false): number {
  const width = runs.reduce((sum, run) => sum + textWidth(run.text, size, run.bold ?? bold), 0);
  return width / 72 / TOLERANCE;
}

const measurable = (runs: readonly Run[], size: number, bold: boolean): readonly Measurable[] =>
  runs.map((run) => ({
    text: run.text,
    bold: run.bold ?? bold,
    ...(run.raised === true ? { size: size * RAISED } : {}),
  }));

/** A height that the text has at least, for little: most sizes that are tried are far too large. */
export function minHeight(runs: readonly Run[], size: number, width: number, bold = false): number {
  return (minLines(measurable(runs, size, bold), size, width * 72 * TOLERANCE) * size * LINE_HEIGHT) / 72;
}

/** Whether the text stands in the box without running over; a word may be cut in two. */
export function stands({ runs, box, bold }: Fittable, size: number): boolean {
  if (minHeight(runs, size, box.w, bold) > box.h + 1e-6) return false;
  return textHeight(runs, size, box.w, bold) <= box.h + 1e-6;
}

/** The same without a word cut in two. */
export function fits(text: Fittable, size: number): boolean {
  const { runs, box, bold = false } = text;
  return stands(text, size) && longestWord(measurable(runs, size, bold), size) <= box.w * 72 * TOLERANCE;
}

/** Smaller than this only to fit. */
const CALM_PT = 20;
const CALM_STEP = 4;

/**
 * A size that fits, a little smaller where that spares a line: no word stands alone in a second line
 * for the sake of two points. `sizes` are descending, and `size` one of them.
 */
export function calmSize(texts: readonly Fittable[], sizes: readonly number[], size: number): number {
  const lines = (one: number): number =>
    texts.reduce((n, text) => n + linesOf(text.runs, one, text.box.w, text.bold), 0);
  const near = sizes.filter((one) => one <= size && one >= Math.max(CALM_PT, size - CALM_STEP));
  return near.reduce((best, one) => (lines(one) < lines(best) ? one : best), size);
}

/** The largest of `sizes` (descending) at which every text fits its box; the smallest when none does. */
export function fitSize(texts: readonly Fittable[], sizes: readonly number[]): number {
  const found = sizes.find((size) => texts.every((text) => fits(text, size)));
  if (found !== undefined) return found;
  // A very long word may have to be cut; the height still rules.
  const cut = sizes.find((size) => texts.every((text) => stands(text, size)));
  return cut ?? sizes.at(-1) ?? 12;
}
