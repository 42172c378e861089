/** A day where a process runs. */
export interface Today {
  /** As `2026-03-31`. */
  readonly date: string;
  /** Name in the IANA database, such as `Europe/Oslo`. */
  readonly timeZone: string;
}

/** Reused, because formatting a date takes longer than a round of the loop and every run needs one. */
let format: Intl.DateTimeFormat | undefined;
let known: { readonly minute: number; readonly today: Today } | undefined;

/** The day of a time, in milliseconds since 1970, where this process runs. */
export function todayAt(now: number): Today {
  const minute = Math.floor(now / 60_000);
  if (known?.minute === minute) return known.today;
  // Swedish writes dates as ISO 8601 does.
  format ??= new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });
  const today = { date: format.format(now), timeZone: format.resolvedOptions().timeZone };
  known = { minute, today };
  return today;
}
