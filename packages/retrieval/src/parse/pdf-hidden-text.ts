import type { getResolvedPDFJS } from "unpdf";

import type { TextItem } from "./pdf-text.ts";

/*
 * pdf.js extracts text without its render mode and colour. Both are in the operators that draw the page, in
 * the same order, so the text of the operators is aligned with the extracted items, character by character.
 */

type Operators = Awaited<ReturnType<typeof getResolvedPDFJS>>["OPS"];

export interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

/** The text of a page as it is drawn, folded; for each UTF-16 unit, 1 if it is hidden, else 0. */
export interface DrawnText {
  readonly text: string;
  readonly hidden: Uint8Array;
}

export interface ShownItems<Item extends TextItem> {
  readonly items: readonly Item[];
  /** Characters that were left out. */
  readonly hidden: number;
}

interface GraphicsState {
  /** Square points that the unit square covers, which is the size of an image drawn now. */
  readonly area: number;
  readonly lineWidth: number;
  readonly mode: number;
  readonly white: boolean;
}

type Visibility = "visible" | "invisible" | "white";

const INVISIBLE_MODE = 3;
/** Render modes that fill and do not stroke. */
const FILL_MODES = new Set([0, 4]);
/** Channels from here on are white on paper. */
const WHITE_CHANNEL = 250;
/** Narrower lines are rules and borders; white text is not set on them. */
const WIDE_STROKE = 4;
/** A larger image is left out of the operators; nothing else scales the unit square to this many square points. */
const SMALLEST_IMAGE = 100;

/**
 * What a page draws that its readers do not see, or `undefined` if it is all visible: text in the invisible
 * render mode, unless it is the OCR layer of a scan, and white text with nothing painted before it.
 */
export function findHiddenText(
  { fnArray, argsArray }: OperatorList,
  ops: Operators,
  pageArea: number,
): DrawnText | undefined {
  let state: GraphicsState = { area: 1, lineWidth: 1, mode: 0, white: false };
  const stack: GraphicsState[] = [];
  const runs: { readonly text: string; readonly look: Visibility }[] = [];
  let painted = false;
  let imageArea = 0;
  let transformed = false;
  let softMask = 0;

  const fills = new Set([
    ops.fill,
    ops.eoFill,
    ops.fillStroke,
    ops.eoFillStroke,
    ops.closeFillStroke,
    ops.closeEOFillStroke,
  ]);
  const paintImage = (): void => {
    painted = true;
    imageArea += Math.min(state.area, pageArea);
    transformed = false;
  };
  // Images above `maxImageSize` are not decoded and leave a transformation behind that nothing uses.
  const paintLeftOutImage = (): void => {
    if (transformed && state.area >= SMALLEST_IMAGE) paintImage();
    transformed = false;
  };
  const restore = (): void => {
    paintLeftOutImage();
    state = stack.pop() ?? state;
  };

  for (const [at, operator] of fnArray.entries()) {
    const given = argsArray[at];
    const args: readonly unknown[] = Array.isArray(given) ? given : [];
    if (softMask > 0) {
      if (operator === ops.beginGroup) softMask += 1;
      else if (operator === ops.endGroup) softMask -= 1;
      continue;
    }
    switch (operator) {
      case ops.save:
        stack.push(state);
        break;
      case ops.paintFormXObjectBegin:
        paintLeftOutImage();
        stack.push(state);
        state = { ...state, area: state.area * determinant(args[0]) };
        break;
      case ops.beginGroup:
        paintLeftOutImage();
        // Text extraction does not enter soft masks.
        if (isSoftMask(args[0])) softMask = 1;
        else stack.push(state);
        break;
      case ops.restore:
      case ops.paintFormXObjectEnd:
      case ops.endGroup:
        restore();
        break;
      case ops.transform:
        state = { ...state, area: state.area * determinant(args) };
        transformed = true;
        break;
      case ops.setLineWidth:
        state = { ...state, lineWidth: Number(args[0]) };
        break;
      case ops.setTextRenderingMode:
        state = { ...state, mode: Number(args[0]) };
        break;
      case ops.setFillRGBColor:
        state = { ...state, white: isWhite(args[0]) };
        break;
      case ops.setFillColorN:
      case ops.setFillTransparent:
        state = { ...state, white: false };
        break;
      case ops.constructPath: {
        paintLeftOutImage();
        const paint = Number(args[0]);
        if (fills.has(paint)) painted ||= !state.white;
        else if (paint !== ops.endPath) painted ||= state.lineWidth * Math.sqrt(state.area) >= WIDE_STROKE;
        break;
      }
      case ops.shadingFill:
        paintLeftOutImage();
        painted = true;
        break;
      case ops.paintImageXObject:
      case ops.paintInlineImageXObject:
      case ops.paintImageMaskXObject:
      case ops.paintSolidColorImageMask:
        paintImage();
        break;
      case ops.beginText:
        paintLeftOutImage();
        break;
      case ops.showText:
        runs.push({ text: fold(unicodeOf(args[0])), look: lookOf(state, painted) });
        break;
      default:
    }
  }
  paintLeftOutImage();
  const lengthOf = (look: Visibility): number =>
    runs.reduce((sum, run) => sum + (run.look === look ? run.text.length : 0), 0);
  const isScan =
    imageArea >= pageArea / 2 && lengthOf("invisible") >= lengthOf("visible") + lengthOf("white");
  const isHidden = (look: Visibility): boolean => look === "white" || (look === "invisible" && !isScan);
  if (!runs.some(({ look }) => isHidden(look))) return undefined;
  const text = runs.map((run) => run.text).join("");
  const hidden = new Uint8Array(text.length);
  let offset = 0;
  for (const run of runs) {
    if (isHidden(run.look)) hidden.fill(1, offset, offset + run.text.length);
    offset += run.text.length;
  }
  return { text, hidden };
}

function lookOf({ mode, white }: GraphicsState, painted: boolean): Visibility {
  if (mode === INVISIBLE_MODE) return "invisible";
  return FILL_MODES.has(mode) && white && !painted ? "white" : "visible";
}

function unicodeOf(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return "";
  let text = "";
  // Numbers between the glyphs are kerning.
  for (const glyph of glyphs as readonly ({ readonly unicode?: unknown } | number | null)[])
    if (typeof glyph === "object" && typeof glyph?.unicode === "string") text += glyph.unicode;
  return text;
}

function isSoftMask(group: unknown): boolean {
  return typeof group === "object" && group !== null && "smask" in group && Boolean(group.smask);
}

function isWhite(color: unknown): boolean {
  const channels = /^#(..)(..)(..)$/.exec(String(color))?.slice(1) ?? ["00"];
  return channels.every((channel) => Number.parseInt(channel, 16) >= WHITE_CHANNEL);
}

/** How a matrix scales areas. */
function determinant(matrix: unknown): number {
  if (!Array.isArray(matrix) && !(matrix instanceof Float32Array)) return 1;
  const [a, b, c, d] = Array.from(matrix, Number);
  return Math.abs((a ?? 1) * (d ?? 1) - (b ?? 0) * (c ?? 0));
}

/** Leaves out what is hidden. Text that cannot be aligned with what is drawn is kept. */
export function withoutHiddenText<Item extends TextItem>(
  items: readonly Item[],
  drawn: DrawnText,
): ShownItems<Item> {
  const shown: Item[] = [];
  let hidden = 0;
  let cursor = 0;
  for (const item of items) {
    const text = fold(item.text);
    const inOrder = drawn.text.startsWith(text, cursor);
    // Text from right to left is extracted in another order than it is drawn.
    const reordered = !inOrder && hasSameCharacters(text, drawn.text.slice(cursor, cursor + text.length));
    // Text outside of the page is drawn and not extracted.
    const start = inOrder || reordered ? cursor : drawn.text.indexOf(text, cursor);
    if (start < 0) return { items, hidden: 0 };
    const flags = drawn.hidden.subarray(start, start + text.length);
    cursor = start + text.length;
    if (!flags.includes(1) || (reordered && flags.includes(0))) shown.push(item);
    else if (!flags.includes(0)) hidden += item.text.trim().length;
    else {
      const pieces = visiblePieces(item, flags);
      hidden += item.text.length - pieces.reduce((sum, piece) => sum + piece.text.length, 0);
      shown.push(...pieces);
    }
  }
  return { items: shown, hidden };
}

/** pdf.js merges what is drawn side by side into one item; its width is shared out by characters. */
function visiblePieces<Item extends TextItem>(item: Item, flags: Uint8Array): readonly Item[] {
  const pieces: Item[] = [];
  const advance = item.width / item.text.length;
  let offset = 0;
  let unit = 0;
  let from: number | undefined = 0;
  const endPiece = (): void => {
    if (from === undefined || from === offset) return;
    const text = item.text.slice(from, offset);
    pieces.push({ ...item, text, x: item.x + from * advance, width: text.length * advance });
  };
  for (const character of item.text) {
    const { length } = fold(character);
    // Spaces belong to the character before them.
    if (length > 0 && flags[unit] === 1) {
      endPiece();
      from = undefined;
    } else if (length > 0) from ??= offset;
    unit += length;
    offset += character.length;
  }
  endPiece();
  return pieces;
}

function hasSameCharacters(a: string, b: string): boolean {
  const sorted = (text: string): string => Array.from(text).sort().join("");
  return a.length === b.length && sorted(a) === sorted(b);
}

/** Without what pdf.js adds, takes away or composes: white space, format marks, angle brackets, ligatures. */
function fold(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII, for speed
  if (/^[\x00-\x7f]*$/.test(text)) return text.replace(/[\x00-\x20\x7f<>]+/g, "");
  return text.normalize("NFKD").replace(/[\s\p{Cf}\p{Cc}<>]+/gu, "");
}
