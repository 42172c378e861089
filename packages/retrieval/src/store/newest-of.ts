import { isLaterDay, isNewer, type EditionRow } from "./editions.ts";

/**
 * Tells the edition in force that replaces a document, undefined for one that nothing replaces.
 * Days are missing, and claims contradict each other: taken in pairs, editions may replace one another
 * in a circle. Between those of a circle only withdrawal and days count, which have none.
 *
 * @param related the editions a document is compared with: of its family, and those that name it
 */
export function newestOf<Row extends EditionRow>(
  related: (row: Row) => readonly Row[],
): (row: Row) => Row | undefined {
  const newerThan = remembered((row: Row) => related(row).filter((other) => isNewer(other, row)));
  const replacing = remembered((row: Row) => {
    const newer = newerThan(row);
    if (!leadsTo(newer, row, newerThan)) return newer;
    return newer.filter((other) => isLaterDay(other, row) || !leadsTo(newerThan(other), row, newerThan));
  });
  return (row) => {
    let newest: Row | undefined;
    for (let next: readonly Row[] = replacing(row); next.length > 0; next = replacing(newest))
      newest = next.reduce((best, other) => (isNewer(other, best) ? other : best));
    return newest;
  };
}

function leadsTo<Row>(from: readonly Row[], wanted: Row, next: (row: Row) => readonly Row[]): boolean {
  const seen = new Set(from);
  // A set goes on to what is added while it is walked.
  for (const row of seen) {
    if (row === wanted) return true;
    for (const other of next(row)) seen.add(other);
  }
  return false;
}

function remembered<Row, Value>(make: (row: Row) => Value): (row: Row) => Value {
  const made = new Map<Row, Value>();
  return (row) => {
    const value = made.get(row) ?? make(row);
    made.set(row, value);
    return value;
  };
}
