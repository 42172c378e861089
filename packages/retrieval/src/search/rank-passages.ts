import { findFigures } from "../text/figures.ts";
import { jaccard, shingles } from "../text/similarity.ts";

/** A passage as the ranking sees it. */
export interface Candidate {
  readonly documentKey: number;
  readonly text: string;
  readonly score: number;
  /** A later edition of its document exists. */
  readonly superseded: boolean;
}

export interface Ranked<C> {
  readonly passage: C;
  readonly score: number;
  /** Passages that say the same in other documents. */
  readonly same: readonly C[];
}

/** Each further passage of a document counts this much of the one before. */
const SAME_DOCUMENT = 0.85;
/** A replaced edition steps back a little; it still shows when it alone has the answer. */
const SUPERSEDED = 0.85;
const SAME_TEXT = 0.85;

/**
 * Picks the best passages with variety: documents take turns where scores are close, and a passage
 * that stands word for word in several documents comes once. Two passages with different figures are
 * never the same, however alike: that is where documents contradict each other.
 *
 * @param reach for the position of a pick, how many candidates are considered; all when absent
 */
export function rankPassages<C extends Candidate>(
  candidates: readonly C[],
  limit: number,
  reach: (position: number) => number = () => candidates.length,
): readonly Ranked<C>[] {
  const picked: { passage: C; score: number; same: C[]; marks: Marks }[] = [];
  const taken = new Map<number, number>();
  const rest = new Map(candidates.map((candidate, at) => [candidate, at]));
  const adjusted = (candidate: C): number =>
    candidate.score *
    SAME_DOCUMENT ** (taken.get(candidate.documentKey) ?? 0) *
    (candidate.superseded ? SUPERSEDED : 1);
  while (rest.size > 0 && picked.length < limit) {
    let best: C | undefined;
    const end = reach(picked.length);
    for (const [candidate, at] of rest) {
      if (at >= end) break;
      if (!best || adjusted(candidate) > adjusted(best)) best = candidate;
    }
    if (!best) break;
    rest.delete(best);
    const marks = marksOf(best.text);
    const twin = picked.find((other) => alike(other.marks, marks));
    if (twin) {
      if (twin.passage.documentKey !== best.documentKey) twin.same.push(best);
      continue;
    }
    picked.push({ passage: best, score: adjusted(best), same: [], marks });
    taken.set(best.documentKey, (taken.get(best.documentKey) ?? 0) + 1);
  }
  return picked.map(({ passage, score, same }) => ({ passage, score, same }));
}

interface Marks {
  readonly shingles: ReadonlySet<string>;
  readonly figures: string;
}

function marksOf(text: string): Marks {
  return {
    shingles: shingles(text),
    figures: findFigures(text)
      .map((figure) => figure.values[0])
      .join(" "),
  };
}

function alike(a: Marks, b: Marks): boolean {
  return a.figures === b.figures && jaccard(a.shingles, b.shingles) >= SAME_TEXT;
}
