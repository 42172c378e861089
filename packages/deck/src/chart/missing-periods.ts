import type { ChartRow, ChartSpec } from "@troupe/stream";

/** `2026-05`, `2026-05-01`, `2026-05-01T00:00:00Z`, `2026-Q2`. */
const PERIOD = /^(\d{4})-(?:(\d{2})((?:-01(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?)?)|Q([1-4]))$/;
/** A line of more points shows no single one that is missing. */
const MAX_ROWS = 120;

/**
 * The rows of a line over months, quarters or years, with one without values for each period between two
 * that has no row: a line that joins May to September says that nothing lies between them. All other
 * charts keep their rows.
 */
export function withMissingPeriods({ kind, x, rows }: ChartSpec): readonly ChartRow[] {
  if (kind !== "line" || x === undefined) return rows;
  const first = PERIOD.exec(String(rows[0]?.[x.field] ?? ""));
  if (first === null) return rows;
  const months = rows.map((row) => monthOf(String(row[x.field] ?? "")));
  const steps = months.slice(1).map((month, i) => month - (months[i] ?? NaN));
  // Also where a period is not told, or stands twice.
  if (!steps.every((step) => step > 0)) return rows;
  const step = steps.reduce(divisor, 0);
  if (steps.reduce((sum, one) => sum + one / step, 1) > MAX_ROWS) return rows;
  const label = (month: number): string => {
    const year = String(Math.floor(month / 12)).padStart(4, "0");
    if (first[4] !== undefined) return `${year}-Q${(month % 12) / 3 + 1}`;
    return `${year}-${String((month % 12) + 1).padStart(2, "0")}${first[3] ?? ""}`;
  };
  return rows.flatMap((row, i) => {
    const missing = Math.max(0, (steps[i] ?? step) / step - 1);
    const from = months[i] ?? 0;
    return [row, ...Array.from({ length: missing }, (_, n) => ({ [x.field]: label(from + (n + 1) * step) }))];
  });
}

/** Months since the year 0; not a number where the text is no period. */
function monthOf(text: string): number {
  const [, year, month, , quarter] = PERIOD.exec(text) ?? [];
  return Number(year) * 12 + (quarter === undefined ? Number(month) - 1 : (Number(quarter) - 1) * 3);
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
