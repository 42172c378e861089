import type { Cell } from "../compose/page.ts";
import { LINE_HEIGHT, longestWord, textWidth } from "../text/measure.ts";
import { textHeight } from "./fit.ts";
import { BODY } from "./grid.ts";

/** A cell is not set smaller than this: rows that have no room at it continue. */
export const MIN_CELL_PT = 12;
const SIZES = [20, 18, 16, 14, 13, MIN_CELL_PT] as const;
/** Larger for few rows, and down to the size that still reads well from afar, where no cell takes two lines. */
const SIZES_OF_FEW = [26, 24, 22, 20, 18] as const;
const MAX_ROW = 0.72;
/** So many rows or fewer below the header fill the slide with more. */
const FEW_ROWS = 4;
/** The header stays lower than the rows below it. */
const MAX_HEADER_AIR = 0.3;
const MAX_ROW_OF_FEW = 1.3;

/** Inches kept free in a cell, left and right, top and bottom: less in a table of small type. */
const padAt = (size: number): TablePlan["pad"] =>
  size >= 16 ? { x: 0.16, y: 0.07 } : size >= 14 ? { x: 0.12, y: 0.055 } : { x: 0.09, y: 0.04 };
const minRowAt = (size: number): number => (size >= 18 ? 0.42 : size >= 16 ? 0.4 : 0);

export interface TablePlan {
  readonly size: number;
  readonly pad: { readonly x: number; readonly y: number };
  readonly columnWidths: readonly number[];
  readonly rowHeights: readonly number[];
  readonly fits: boolean;
  /** No cell takes two lines. */
  readonly level: boolean;
}

/** Without a single name there is no header row. */
export const hasHeader = (header: readonly string[]): boolean => header.some((name) => name !== "");

/** A row that sums up the others. */
export const isTotal = (first = ""): boolean => /^(total|sum|summe|gesamt|totalt)\b/i.test(first);

/**
 * Column widths by what stands in them, and the largest size at which all rows fit the body; a little
 * smaller where few rows then take a line each. No size is above `largest`.
 */
export function planTable(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  largest = Infinity,
): TablePlan {
  if (rows.length <= FEW_ROWS && largest === Infinity) {
    const calm = SIZES_OF_FEW.map((size) => planAt(header, rows, size)).find((p) => p.fits && p.level);
    if (calm !== undefined) return calm;
  }
  for (const size of SIZES.filter((one) => one <= largest)) {
    const plan = planAt(header, rows, size);
    if (plan.fits || size === MIN_CELL_PT) return plan;
  }
  return planAt(header, rows, MIN_CELL_PT);
}

/** Whether the rows fit on one slide at the smallest size. */
export function tableFits(header: readonly string[], rows: readonly (readonly Cell[])[]): boolean {
  // Without its columns: text that has not even this much room need not be set.
  let area = 0;
  for (const cell of rows.flat()) {
    area += (textWidth(cell.text, MIN_CELL_PT) * MIN_CELL_PT * LINE_HEIGHT) / 72 ** 2;
    if (area > BODY.w * BODY.h) return false;
  }
  return planAt(header, rows, MIN_CELL_PT).fits;
}

function planAt(names: readonly string[], rows: readonly (readonly Cell[])[], size: number): TablePlan {
  const cellPad = padAt(size);
  const texts = [
    ...(hasHeader(names) ? [names.map((text) => ({ text, bold: true }))] : []),
    ...rows.map((r) =>
      r.map((cell, c) => ({ text: cell.text, bold: isTotal(r[0]?.text) || (c === 0 && !hasHeader(names)) })),
    ),
  ];
  const needs = names.map((_, c) => {
    const column = texts.map((row) => row[c] ?? { text: "", bold: false });
    const pad = 2 * cellPad.x + 0.06;
    const inches = (points: number): number => points / 72 / 0.985;
    return {
      whole: inches(Math.max(...column.map((t) => textWidth(t.text, size, t.bold)))) + pad,
      word: inches(Math.max(...column.map((t) => longestWord([t], size)))) + pad,
    };
  });
  const columnWidths = share(needs, BODY.w);
  const heights = texts.map((row) => {
    const tallest = Math.max(
      ...row.map((t, c) =>
        textHeight([{ text: t.text, bold: t.bold }], size, (columnWidths[c] ?? 1) - 2 * cellPad.x),
      ),
    );
    return Math.max(minRowAt(size), tallest + 2 * cellPad.y);
  });
  const header = hasHeader(names) ? 1 : 0;
  // Rows of one height where there is room: a cell of two lines sets the measure for all.
  const tallestRow = Math.max(...heights.slice(header));
  const even = heights.map((h, i) => (i < header ? h : tallestRow));
  const heightOf = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
  const chosen = heightOf(even) <= BODY.h ? even : heights;
  const total = heightOf(chosen);
  const wordsWhole = needs.every((need, c) => need.word <= (columnWidths[c] ?? 0) + 1e-6);
  const fits = total <= BODY.h && (wordsWhole || size === SIZES.at(-1));
  // Few rows get air, up to a limit.
  const most = rows.length <= FEW_ROWS ? MAX_ROW_OF_FEW : MAX_ROW;
  const air = fits
    ? Math.max(0, Math.min((BODY.h - total) / chosen.length, most - Math.max(0, ...chosen.slice(header))))
    : 0;
  const rowHeights = chosen.map((h, i) => h + (i < header ? Math.min(air, MAX_HEADER_AIR) : air));
  const level = needs.every((need, c) => need.whole <= (columnWidths[c] ?? 0) + 1e-6);
  return { size, pad: cellPad, columnWidths, rowHeights, fits, level };
}

interface Need {
  readonly whole: number;
  readonly word: number;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** With room for all, in proportion to what each column holds; else short columns whole, and long ones share the rest. */
function share(needs: readonly Need[], width: number): readonly number[] {
  const whole = needs.map((n) => n.whole);
  const free = width - sum(whole);
  if (free >= 0) return whole.map((w) => w + (free * w) / sum(whole));
  // Shortest first: a column no wider than an even share of the remaining width does not wrap.
  let left = width;
  let open = needs.length;
  const isWhole = new Set<Need>();
  for (const need of needs.toSorted((a, b) => a.whole - b.whole)) {
    if (need.whole > left / open) break;
    isWhole.add(need);
    left -= need.whole;
    open -= 1;
  }
  const long = needs.filter((need) => !isWhole.has(need));
  if (left < sum(long.map((n) => n.word))) return shareOfWords(needs, width);
  const widths = new Map(long.map((need, i) => [need, shareOfWords(long, left)[i]]));
  return needs.map((need) => widths.get(need) ?? need.whole);
}

/** Every column its longest word, then the rest in proportion to what it still lacks. */
function shareOfWords(needs: readonly Need[], width: number): readonly number[] {
  const word = needs.map((n) => n.word);
  const left = width - sum(word);
  if (left <= 0) return word.map((w) => (w * width) / sum(word));
  const lack = needs.map((n) => n.whole - n.word);
  return word.map((w, i) => w + (left * (lack[i] ?? 0)) / Math.max(1e-9, sum(lack)));
}
