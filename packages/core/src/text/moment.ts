/** Of the ISO text of a time; up to the second it stands in lines of a terminal, where all are UTC. */
const WRITTEN = {
  minute: (iso: string): string => iso.replace(/:\d\d\.\d+Z$/, "Z"),
  second: (iso: string): string => iso.replace("T", " ").slice(0, 19),
} as const;

/**
 * A time in UTC, up to the minute as people and programs read it, `2026-11-22T10:30Z`, or up to the second as people
 * do, `2026-11-22 10:30:59`; `no valid time` for what no date can hold.
 */
export function momentText(epochMs: number, upTo: keyof typeof WRITTEN = "minute"): string {
  const date = new Date(epochMs);
  // It may be the word of a stranger, and is only to be shown.
  return Number.isNaN(date.getTime()) ? "no valid time" : WRITTEN[upTo](date.toISOString());
}
