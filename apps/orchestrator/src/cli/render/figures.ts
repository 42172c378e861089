import { oneLine } from "./harmless.ts";

/** A time as people read it: `12 ms`, `1.93 s`. */
export function milliseconds(ms: number): string {
  return Math.abs(ms) < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** A size as people read it: `812 B`, `34.1 kB`. */
export function bytes(size: number): string {
  if (Math.abs(size) < 1_000) return `${size} B`;
  return Math.abs(size) < 1_000_000
    ? `${(size / 1_000).toFixed(1)} kB`
    : `${(size / 1_000_000).toFixed(1)} MB`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

export function percent(value: number): string {
  return `${Math.round(value)} %`;
}

/** Words of another agent on one line, and no more of them than `max` characters. */
export function short(text: string, max: number): string {
  const line = Array.from(oneLine(text));
  return line.length <= max ? line.join("") : `${line.slice(0, max - 1).join("")}…`;
}

/** Rows in columns; those named are aligned to the right. */
export function columns(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, Array.from(cell).length);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => {
        const space = " ".repeat((widths[i] ?? 0) - Array.from(cell).length);
        return right.has(i) ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  return rows.map((row) => `  ${line(row)}\n`).join("");
}
