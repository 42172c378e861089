/** Names close enough to `wanted` to be what was meant, best first, at most three. */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const lower = wanted.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: score(lower, name.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map((candidate) => candidate.name);
}

/** `; did you mean "x" or "y"?`, or nothing. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const near = nearestNames(wanted, names);
  return near.length === 0 ? "" : `; did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`;
}

function score(a: string, b: string): number {
  if (a.length >= 3 && (b.includes(a) || a.includes(b))) return 1;
  return editDistance(a, b);
}

/** Levenshtein over two rows; names are short, so quadratic is fine. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
