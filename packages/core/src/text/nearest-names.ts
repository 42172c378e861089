/** How many single-character edits lie between two strings (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const MAX_COMPARED = 80;

/** At most three known names that a mistyped one may have meant, the nearest first. */
export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  const wanted = fold(name);
  const scored = [...new Set(known)].map((candidate) => {
    const folded = fold(candidate);
    const contains = wanted.length >= 3 && (folded.includes(wanted) || wanted.includes(folded));
    return { candidate, score: contains ? 0.5 : editDistance(wanted, folded) };
  });
  return scored
    .filter(({ candidate, score }) => score <= Math.max(2, fold(candidate).length / 3))
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** ` Did you mean "a" or "b"?`, or which names there are when none is near. Starts with a space. */
export function suggestNames(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  if (near.length > 0) return ` Did you mean ${near.map((n) => `"${n}"`).join(" or ")}?`;
  if (known.length === 0) return "";
  const shown = known.slice(0, 20).join(", ");
  return ` Known: ${shown}${known.length > 20 ? `, and ${known.length - 20} more` : ""}.`;
}

/** Case and the kind of separator are what people get wrong most. */
function fold(name: string): string {
  return name
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replace(/[\s_.-]+/g, "-");
}
