/** The slide and its fixed regions, in inches (13.33 × 7.5, 16:9). */
export const GRID = {
  slideWidth: 13.333,
  slideHeight: 7.5,
  left: 0.7,
  width: 11.933,
  titleTop: 0.54,
  titleHeight: 1.02,
  bodyTop: 1.7,
  bodyHeight: 4.55,
  sourceTop: 6.38,
  sourceHeight: 0.42,
  footerTop: 6.99,
  footerHeight: 0.24,
} as const;

/** Sizes a title is tried at, largest first. */
export const TITLE_SIZES = [30, 28, 26, 24, 22, 20] as const;
/** Largest size of a title of two lines, in points; larger ones would touch the body. */
export const MAX_TWO_LINES_PT = 26;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Where the title stands on each layout of the file that has one. */
export const TITLE_BOXES = {
  Cover: { x: 1.2, y: 1.5, w: 10.6, h: 2.1 },
  Section: { x: 1.2, y: 2.5, w: 10.6, h: 1.45 },
  Content: { x: GRID.left, y: GRID.titleTop, w: GRID.width, h: GRID.titleHeight },
} as const satisfies { readonly [layout: string]: Box };

export const BODY: Box = { x: GRID.left, y: GRID.bodyTop, w: GRID.width, h: GRID.bodyHeight };

/** `count` columns of equal width with a gutter. */
export function columnsOf(box: Box, count: number, gutter: number): readonly Box[] {
  const w = (box.w - gutter * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => ({ x: box.x + i * (w + gutter), y: box.y, w, h: box.h }));
}

/** `count` rows of equal height. */
export function rowsOf(box: Box, count: number, gap = 0): readonly Box[] {
  const h = (box.h - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => ({ x: box.x, y: box.y + i * (h + gap), w: box.w, h }));
}

export function inset(box: Box, dx: number, dy: number): Box {
  return { x: box.x + dx, y: box.y + dy, w: box.w - 2 * dx, h: box.h - 2 * dy };
}
