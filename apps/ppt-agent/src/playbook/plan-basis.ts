import { dateOf, dayOf, monthOf } from "./dated.ts";
import type { Table } from "./read-briefing.ts";

/** What a title and the notes say of a plan whose first dates have passed. */
export interface PlanBasis {
  /** `(plan of January 2026)`. */
  readonly title: string;
  readonly notes: string;
}

/**
 * A document says what was planned when it was written, and is read later: where some dates of its table
 * have passed by `now` that were to come then, the slide says so. Undefined for tables of what is all past,
 * all to come, or not dated.
 */
export function planBasis(heading: string, { rows, published }: Table, now: number): PlanBasis | undefined {
  const times = rows.map(([first = ""]) => dateOf(first));
  if (times.length === 0 || times.includes(undefined)) return undefined;
  const written = published === undefined ? undefined : Date.parse(published);
  const passed = times.filter((time = 0) => time < now);
  const planned =
    written === undefined ? times.length > passed.length : passed.some((time = 0) => time > written);
  if (passed.length === 0 || !planned) return undefined;
  const word = /\bplan\b/i.test(heading) ? "as" : "plan";
  const of = written === undefined ? "" : ` of ${dayOf(written)}`;
  return {
    title: written === undefined ? "(planned)" : `(${word} of ${monthOf(written)})`,
    notes:
      `These are the dates of the plan${of}. ${passed.length} of ${times.length} lie before ${dayOf(now)}; ` +
      "the findings do not say whether they were kept.",
  };
}
