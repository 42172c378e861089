/** A day where a process runs. */
export interface Today {
  /** As `2026-03-31`. */
  readonly date: string;
  /** Name in the IANA database, such as `Europe/Oslo`. */
  readonly timeZone: string;
}

/** Slow to make, and asked for in every run. */
let format: Intl.DateTimeFormat | undefined;

/** The day of a time, in milliseconds since 1970, where this process runs. */
export function todayAt(now: number): Today {
  // Swedish writes dates as ISO 8601 does.
  format ??= new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });
  return { date: format.format(now), timeZone: format.resolvedOptions().timeZone };
}
