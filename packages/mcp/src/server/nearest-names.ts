/** Edit distance of two short names, in code units. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The names most like `name`, nearest first. */
export function nearestNames(name: string, names: readonly string[], count = 3): readonly string[] {
  const wanted = name.slice(0, 64).toLowerCase();
  return names
    .map((candidate) => ({ candidate, d: distance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.d - b.d || a.candidate.localeCompare(b.candidate))
    .slice(0, count)
    .map((entry) => entry.candidate);
}
