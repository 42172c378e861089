import { dateOf, dayOf, monthOf } from "./dated.ts";
import type { Table } from "./read-briefing.ts";

/** What a title and the notes say of a plan whose first dates have passed. */
export interface PlanBasis {
  /** `(plan of January 2026)`. */
  readonly title: string;
  /** The same where dates of the slide have passed: `(plan of January 2026, status unknown)`. */
  readonly passed: string;
  readonly notes: string;
}

/** What says of itself that it is a plan. */
const PLAN = /\b(?:plan|plans|planned|roadmap|milestones?|timeline|schedule|scheduled)\b/i;

/**
 * A document says what was planned when it was written, and is read later: where a table of its heading or
 * columns is a plan, and dates have passed by `now` that were to come then, the slide says so. Undefined
 * for other tables, and where the document has no date.
 */
export function planBasis(
  heading: string,
  { columns, rows, published }: Table,
  now: number,
): PlanBasis | undefined {
  const written = published === undefined ? NaN : Date.parse(published);
  if (Number.isNaN(written) || ![heading, ...columns].some((name) => PLAN.test(name))) return undefined;
  const times = rows.map(([first = ""]) => dateOf(first));
  if (times.includes(undefined)) return undefined;
  const passed = times.filter((time = 0) => time < now);
  if (!passed.some((time = 0) => time > written)) return undefined;
  const of = `${/\bplan\b/i.test(heading) ? "as" : "plan"} of ${monthOf(written)}`;
  return {
    title: `(${of})`,
    passed: `(${of}, status unknown)`,
    notes:
      `These are the dates of the plan of ${dayOf(written)}. ${passed.length} of ${times.length} lie before ` +
      `${dayOf(now)}; the findings do not say whether they were kept.`,
  };
}
