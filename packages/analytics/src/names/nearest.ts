/** The names closest to one that does not exist: at most `count`, best first, none that is far off. */
export function nearest(name: string, names: readonly string[], count = 3): readonly string[] {
  const wanted = fold(name);
  return names
    .map((candidate) => ({ candidate, far: distance(wanted, fold(candidate)) }))
    .filter(({ candidate, far }) => far <= Math.max(2, Math.min(wanted.length, candidate.length) / 2))
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Levenshtein, except that a name inside the other is a near miss (`revenue` in `net_revenue`). */
function distance(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 1;
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
