/** A hint for a name that is not there: the few that look most like it. */
export function nearest(name: string, names: readonly string[]): string {
  if (names.length === 0) return "No agents are registered.";
  const ranked = [...names].sort((a, b) => distance(name, a) - distance(name, b));
  return `There ${names.length === 1 ? "is" : "are"}: ${ranked.slice(0, 5).join(", ")}.`;
}

/** Edits between two words; names are short. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
