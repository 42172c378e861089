import { tableAt } from "./pdf-tables.ts";
import type { TextItem, TextLine } from "./pdf-text.ts";

/** A gap this many times the font size separates two cells; a word space is about a quarter. */
const CELL_GAP = 1.6;

/** Lines in the order of the content stream, which is the reading order of well-made files. */
export function toLines(items: readonly TextItem[]): readonly TextLine[] {
  const lines: TextLine[] = [];
  let row: TextItem[] = [];
  const flush = (): void => {
    if (row.length > 0) lines.push(joinRow(row));
    row = [];
  };
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined || item.text.trim() === "") continue;
    const first = row[0];
    if (first && !sameRow(first, item)) flush();
    const table = row.length === 0 ? tableAt(items, at) : undefined;
    if (table !== undefined) {
      lines.push(...table.lines);
      at = table.end - 1;
    } else row.push(item);
  }
  flush();
  return lines;
}

function sameRow(first: TextItem, item: TextItem): boolean {
  return Math.abs(item.y - first.y) < 0.5 * Math.min(first.size, item.size);
}

function joinRow(row: readonly TextItem[]): TextLine {
  const items = [...row].sort((a, b) => a.x - b.x);
  let text = "";
  let cells = 1;
  let right = items[0]?.x ?? 0;
  for (const item of items) {
    const gap = item.x - right;
    if (text !== "" && gap > CELL_GAP * item.size) {
      text = `${text.trimEnd()} | `;
      cells += 1;
    } else if (text !== "" && gap > 0.12 * item.size && !text.endsWith(" ") && !item.text.startsWith(" ")) {
      text += " ";
    }
    text += item.text;
    right = Math.max(right, item.x + item.width);
  }
  const widest = items.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  return { text: text.trim(), cells, x: items[0]?.x ?? 0, right, y: widest.y, size: widest.size };
}
