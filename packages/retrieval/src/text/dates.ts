import { MONTH_NAMES } from "@troupe/core";

const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3));
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const YEAR = "((?:19|20)\\d{2})";
const PATTERNS: readonly { readonly source: string; readonly order: "ymd" | "dmy" | "mdy" | "my" }[] = [
  { source: `${YEAR}[-/.](\\d{1,2})[-/.](\\d{1,2})`, order: "ymd" },
  { source: `(\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?${MONTH},? ${YEAR}`, order: "dmy" },
  { source: `${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? ${YEAR}`, order: "mdy" },
  { source: `(\\d{1,2})[./](\\d{1,2})[./]${YEAR}`, order: "dmy" },
  { source: `${MONTH},? ${YEAR}`, order: "my" },
  { source: `${YEAR}[-/](\\d{2})`, order: "ymd" },
];

export interface FoundDate {
  /** ISO, as exact as written: `2025-03-01`, `2025-03`. */
  readonly iso: string;
  readonly start: number;
  readonly end: number;
}

/** Dates of a text in order; a year on its own is a number, not a date. Numeric dates are day first. */
export function findDates(text: string): readonly FoundDate[] {
  const found: FoundDate[] = [];
  // Which characters are part of a date already: to compare each with all found takes quadratic time.
  const taken = new Uint8Array(text.length);
  for (const { source, order } of PATTERNS) {
    for (const match of text.matchAll(new RegExp(`(?<![\\w.])${source}(?![\\w])`, "gi"))) {
      const iso = toIso(order, match.slice(1));
      const start = match.index;
      const end = start + match[0].length;
      if (iso === undefined || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      found.push({ iso, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function toIso(
  order: "ymd" | "dmy" | "mdy" | "my",
  parts: readonly (string | undefined)[],
): string | undefined {
  const [a, b, c] = parts;
  if (order === "my") return join(b, a, undefined);
  if (order === "ymd") return join(a, b, c);
  return order === "dmy" ? join(c, b, a) : join(c, a, b);
}

function join(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  const named = MONTHS.indexOf((month ?? "").slice(0, 3).toLowerCase()) + 1;
  const m = named > 0 ? named : Number(month);
  if (year === undefined || !(m >= 1 && m <= 12)) return undefined;
  const head = `${year}-${String(m).padStart(2, "0")}`;
  if (day === undefined) return head;
  const d = Number(day);
  return d >= 1 && d <= 31 ? `${head}-${String(d).padStart(2, "0")}` : undefined;
}
