import { oneLine, type Cell } from "@troupe/analytics";

import { plainText } from "./plain-text.ts";

const MAX_CELL = 120;
/** Characters of a table, and of one with more than `LONG_ROWS` rows. */
const MAX_TEXT = 8_000;
const MAX_LONG_TEXT = 40_000;
const LONG_ROWS = 100;

/** Rows as a compact table, cells on one line each, escaped for Markdown. Says nothing of rows it leaves out; `shown` does. */
export function resultTable(
  columns: readonly { readonly name: string }[],
  rows: readonly (readonly Cell[])[],
  max: number,
): { readonly text: string; readonly shown: number } {
  const lines = [line(columns.map((column) => column.name))];
  let size = 0;
  for (const row of rows.slice(0, max)) {
    const text = line(row);
    size += text.length;
    if (size > (max > LONG_ROWS ? MAX_LONG_TEXT : MAX_TEXT)) break;
    lines.push(text);
  }
  return { text: lines.join("\n"), shown: lines.length - 1 };
}

/** Text as it is shown, on one line and cut, but not escaped. */
export const shownCells = (cells: readonly Cell[]): readonly Cell[] =>
  cells.map((cell) => (typeof cell === "string" ? oneLine(cell, MAX_CELL) : cell));

function line(cells: readonly Cell[]): string {
  return shownCells(cells)
    .map((cell) => (cell === null ? "" : plainText(String(cell))))
    .join(" | ");
}
