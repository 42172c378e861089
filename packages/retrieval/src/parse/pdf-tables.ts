import type { TextItem, TextLine } from "./pdf-text.ts";

/** Rows of a table that stands somewhere among the items of a page. */
export interface PdfTable {
  /** Index behind its last item. */
  readonly end: number;
  readonly lines: readonly TextLine[];
}

/** A gap this many times the font size separates two cells, where the rows below stand in the same columns. */
const COLUMN_GAP = 0.8;
const MIN_TABLE = { columns: 2, rows: 3, filled: 0.7 };
/** Columns of a table without amounts. */
const MIN_TEXT_COLUMNS = 3;
/** Points by which edges of one column differ. */
const EDGE = 3;
/** Items that are read for each column of a head: a page has no more, and every line of it may look like a head. */
const MAX_COLUMN_ITEMS = 500;
/** Rows further apart than this many times the font size are not of one table. */
const ROW_DROP = 5;
/** Lines further apart than this many times the lines of a cell begin a new row. */
const LINE_DROP = 1.25;
/** A number with a unit: `120 EUR`, `€ 1,500`, `31 %`. */
const AMOUNT = /^(?:[\p{Sc}]|[A-Z]{3})?\s?[+−–-]?\d[\d.,’' ]*(?:[%‰°\p{Sc}]|[\p{L}²³/]{1,12})?$/u;
const NUMBER = /^[+−–-]?[\d.,]+(?:\s?%)?$/;

interface Placed {
  readonly item: TextItem;
  readonly column: number;
}

/**
 * Reads the table whose header begins at an item, by the columns the header sets: what stands at the
 * left edge, the right edge or the middle of one belongs to it. Cells may go over several lines and may
 * be empty. Undefined where no table begins there.
 */
export function tableAt(items: readonly TextItem[], from: number): PdfTable | undefined {
  const header = headerAt(items, from);
  if (header.length < MIN_TABLE.columns) return undefined;
  const placed = placedBelow(items, from, header);
  const rows = dropTail(rowsOf(placed));
  const cells = rows.map((row) => header.map((_, column) => textOf(row, column)));
  const filled = cells.flat().filter((cell) => cell !== "").length;
  if (rows.length < MIN_TABLE.rows || filled < MIN_TABLE.filled * cells.flat().length) return undefined;
  if (cells[0]?.includes("") === true) return undefined;
  // Two columns are a table only if the second has amounts: words may be running text in two columns.
  if (header.length < MIN_TEXT_COLUMNS && !cells.slice(1).every(([, cell = ""]) => AMOUNT.test(cell)))
    return undefined;
  const used = new Set(rows.flat().map(({ item }) => item));
  let end = from;
  while (end < items.length && (used.has(items[end] as TextItem) || isBlank(items[end]))) end += 1;
  // What stands between the cells of the rows would change its place.
  if (items.slice(from, end).filter((item) => !isBlank(item)).length < used.size) return undefined;
  return { end, lines: rows.map((row, at) => lineOf(row, cells[at] ?? [])) };
}

/**
 * The cells of the first row, each with all its lines; items close to each other are one cell. Empty if the row begins
 * before `from`.
 */
function headerAt(items: readonly TextItem[], from: number): readonly HeadCell[] {
  const first = items[from];
  const cells: HeadCell[] = [];
  if (first === undefined || isBlank(first)) return cells;
  const { size } = first;
  for (const item of items.slice(from, from + MAX_HEAD_ITEMS)) {
    if (isBlank(item)) continue;
    if (Math.abs(item.y - first.y) > MAX_HEAD_LINES * size || Math.abs(item.size - size) > 0.5) break;
    const last = cells.at(-1);
    const gap = last === undefined ? Infinity : item.x - (last.x + last.width);
    const drop = last === undefined ? 0 : last.y - item.y;
    if (last !== undefined && isNextLine(last, item)) {
      if (last.lines === MAX_HEAD_LINES) return [];
      cells[cells.length - 1] = {
        ...spanOf(last, item),
        y: item.y,
        top: last.top,
        lines: last.lines + 1,
        size,
      };
    } else if (gap < -1) break;
    else if (last === undefined || gap > COLUMN_GAP * size)
      cells.push({ x: item.x, width: item.width, y: item.y, top: item.y, lines: 1, size });
    else if (Math.abs(drop) > 0.5 * size) break;
    else cells[cells.length - 1] = { ...last, ...spanOf(last, item) };
  }
  // Cells may be offset from each other by the lines of the tallest one. A larger offset means that they are no row.
  const [low, high] = [Math.min(...cells.map(({ y }) => y)), Math.max(...cells.map(({ top }) => top))];
  const tallest = Math.max(...cells.map(({ y, top }) => top - y));
  return high - low > tallest + 0.5 * size ? [] : cells;
}

/** A cell of the first row; `y` of its last line, `top` of its first. */
interface HeadCell {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly top: number;
  readonly lines: number;
  readonly size: number;
}

const MAX_HEAD_LINES = 3;
const MAX_HEAD_ITEMS = 100;
/** From one line of a cell to the next, at most this many times the font size. */
const CELL_LINE = 1.4;

/** Whether an item is the next line of a cell. */
function isNextLine(cell: HeadCell, item: TextItem): boolean {
  const drop = cell.y - item.y;
  const overlaps = item.x < cell.x + cell.width && item.x + item.width > cell.x;
  return overlaps && drop > 0.5 * item.size && drop <= CELL_LINE * item.size;
}

function spanOf(cell: HeadCell, item: TextItem): Pick<HeadCell, "x" | "width"> {
  const x = Math.min(cell.x, item.x);
  return { x, width: Math.max(cell.x + cell.width, item.x + item.width) - x };
}

/** The items from there on that are in a column, to the first that is not. Rows may have a smaller font than the head. */
function placedBelow(
  items: readonly TextItem[],
  from: number,
  header: readonly HeadCell[],
): readonly Placed[] {
  const size = header[0]?.size ?? 10;
  const top = Math.max(...header.map((cell) => cell.top));
  const bottom = Math.min(...header.map((cell) => cell.y));
  const placed: Placed[] = [];
  let rowSize: number | undefined;
  let lowest = top;
  for (const item of items.slice(from, from + MAX_COLUMN_ITEMS * header.length)) {
    if (isBlank(item)) continue;
    const isBelow = item.y < bottom - 0.5 * size;
    if (isBelow && item.size <= size + 0.5 && item.size >= MIN_ROW_SIZE * size) rowSize ??= item.size;
    const isSize = Math.abs(item.size - (isBelow ? (rowSize ?? size) : size)) <= 0.5;
    const inReach = item.y < top + 0.5 * size && lowest - item.y < ROW_DROP * size;
    const column = inReach && isSize ? columnOf(item, header, placed) : undefined;
    if (column === undefined) break;
    placed.push({ item, column });
    lowest = Math.min(lowest, item.y);
  }
  return placed;
}

/** Font size of the rows, relative to the head. */
const MIN_ROW_SIZE = 0.6;

function columnOf(
  item: TextItem,
  header: readonly HeadCell[],
  placed: readonly Placed[],
): number | undefined {
  const right = item.x + item.width;
  // The rest of a cell that the file has in pieces.
  const before = placed.at(-1);
  if (before !== undefined && before.item.y === item.y) {
    const gap = item.x - (before.item.x + before.item.width);
    if (gap > -1 && gap < COLUMN_GAP * item.size) return before.column;
  }
  const column = header.findIndex((cell) => {
    const end = cell.x + cell.width;
    return (
      Math.abs(item.x - cell.x) <= EDGE ||
      Math.abs(right - end) <= EDGE ||
      Math.abs((item.x + right) / 2 - (cell.x + end) / 2) <= EDGE
    );
  });
  if (column === -1) return undefined;
  const overlaps = header.some(
    (cell, at) => at !== column && item.x < cell.x + cell.width - 1 && right > cell.x + 1,
  );
  return overlaps ? undefined : column;
}

/** Lines closer together than rows are belong to one row. */
function rowsOf(placed: readonly Placed[]): readonly (readonly Placed[])[] {
  const lines: Placed[][] = [];
  for (const one of placed.toSorted((a, b) => b.item.y - a.item.y)) {
    const y = lines.at(-1)?.[0]?.item.y;
    if (y !== undefined && y - one.item.y < 0.3 * one.item.size) lines.at(-1)?.push(one);
    else lines.push([one]);
  }
  const limit = LINE_DROP * lineDrop(lines);
  const joined: Placed[][] = [];
  let last = Infinity;
  for (const line of lines) {
    const y = line[0]?.item.y ?? 0;
    if (joined.length > 0 && last - y <= limit) joined.at(-1)?.push(...line);
    else joined.push([...line]);
    last = y;
  }
  // Rows as close as the lines of a cell: two numbers in one cell show it, or one row of everything.
  const close = joined.length < MIN_TABLE.rows || joined.some(hasTwoNumbers);
  return close ? lines : joined;
}

/** From one line of a cell to its next: the least there is in any column. */
function lineDrop(lines: readonly (readonly Placed[])[]): number {
  const last = new Map<number, number>();
  let least = Infinity;
  for (const { item, column } of lines.flat()) {
    const before = last.get(column);
    const drop = before === undefined ? 0 : before - item.y;
    if (drop > 0.5 * item.size) least = Math.min(least, drop);
    last.set(column, item.y);
  }
  return least;
}

const hasTwoNumbers = (row: readonly Placed[]): boolean => {
  const numbers = row.filter(({ item }) => NUMBER.test(item.text.trim()));
  return numbers.some((one) =>
    numbers.some((other) => other.column === one.column && other.item.y !== one.item.y),
  );
};

/** What stands alone below a table is no row of it. */
function dropTail(rows: readonly (readonly Placed[])[]): readonly (readonly Placed[])[] {
  const end = rows.findLastIndex((row) => new Set(row.map(({ column }) => column)).size > 1);
  return rows.slice(0, end + 1);
}

function textOf(row: readonly Placed[], column: number): string {
  return row
    .filter((one) => one.column === column)
    .toSorted((a, b) => (Math.abs(a.item.y - b.item.y) < 1 ? a.item.x - b.item.x : b.item.y - a.item.y))
    .map(({ item }) => item.text.trim())
    .join(" ");
}

function lineOf(row: readonly Placed[], cells: readonly string[]): TextLine {
  const start = { x: Infinity, right: -Infinity, y: -Infinity };
  const { x, right, y } = row.reduce(
    (edges, { item }) => ({
      x: Math.min(edges.x, item.x),
      right: Math.max(edges.right, item.x + item.width),
      y: Math.max(edges.y, item.y),
    }),
    start,
  );
  return { text: cells.join(" | "), cells: cells.length, x, right, y, size: row[0]?.item.size ?? 10 };
}

const isBlank = (item: TextItem | undefined): boolean => item?.text.trim() === "";
