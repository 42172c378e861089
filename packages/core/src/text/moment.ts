/** A time as people and programs read it, such as `2026-11-22T10:30Z`. */
export function momentText(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/:\d\d\.\d+Z$/, "Z");
}
