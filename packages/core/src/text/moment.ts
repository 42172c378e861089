/** A time as people and programs read it, such as `2026-11-22T10:30Z`; `no valid time` for what no date can hold. */
export function momentText(epochMs: number): string {
  const date = new Date(epochMs);
  // It may be the word of a stranger, and is only to be shown.
  return Number.isNaN(date.getTime()) ? "no valid time" : date.toISOString().replace(/:\d\d\.\d+Z$/, "Z");
}
