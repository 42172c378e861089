import { findFigures } from "../text/figures.ts";
import { findDates } from "../text/dates.ts";
import { jaccard } from "../text/similarity.ts";
import { contentKeys } from "../text/words.ts";
import { readableSentences } from "./readable-sentences.ts";

/** What is summarized: a text with the id that a claim from it cites. A `Citation` is one. */
export interface CitedPassage {
  readonly id: string;
  readonly quote: string;
}

export interface SummarySentence {
  /** Word for word from the passage. */
  readonly text: string;
  /** Every passage that says it; the first is where the words are from. */
  readonly citationIds: readonly string[];
}

export interface SummarizeOptions {
  /** 5 by default. */
  readonly maxSentences?: number;
}

interface Candidate {
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  readonly figures: string;
  readonly ids: string[];
  readonly score: number;
}

/** Two sentences that share this much of their content words say the same. */
const SAME = 0.7;
/** What a sentence loses for sharing words with one already chosen. */
const OVERLAP_COST = 0.6;

/**
 * The sentences that say most about the focus, best first: words of the focus (rare ones weigh more),
 * then figures and dates, then the order in which the passages came. Every sentence is quoted, not
 * written, so its citation holds by construction.
 */
export function summarizePassages(
  passages: readonly CitedPassage[],
  focus: string,
  options: SummarizeOptions = {},
): readonly SummarySentence[] {
  const candidates = gather(passages, contentKeys(focus));
  const chosen: Candidate[] = [];
  const rest = new Set(candidates);
  while (rest.size > 0 && chosen.length < (options.maxSentences ?? 5)) {
    let best: { candidate: Candidate; value: number } | undefined;
    for (const candidate of rest) {
      const overlap = Math.max(0, ...chosen.map((other) => jaccard(other.keys, candidate.keys)));
      const value = candidate.score * (1 - OVERLAP_COST * overlap);
      if (!best || value > best.value) best = { candidate, value };
    }
    if (!best || best.value <= 0) break;
    rest.delete(best.candidate);
    chosen.push(best.candidate);
  }
  return chosen.map(({ text, ids }) => ({ text, citationIds: ids }));
}

function gather(passages: readonly CitedPassage[], focus: ReadonlySet<string>): readonly Candidate[] {
  const weights = weigh(passages, focus);
  const candidates: Candidate[] = [];
  for (const [rank, { id, quote }] of passages.entries())
    for (const sentence of readableSentences(quote)) {
      const keys = contentKeys(sentence);
      const figures = figuresOf(sentence);
      const twin = candidates.find((other) => other.figures === figures && jaccard(other.keys, keys) >= SAME);
      if (twin) {
        if (!twin.ids.includes(id)) twin.ids.push(id);
        continue;
      }
      candidates.push({
        text: sentence,
        keys,
        figures,
        ids: [id],
        score: scoreOf(keys, figures, weights, rank),
      });
    }
  return candidates;
}

/** Rare words of the focus weigh more; with no word of the focus anywhere, all sentences are equal. */
function weigh(passages: readonly CitedPassage[], focus: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sets = passages.map((passage) => contentKeys(passage.quote));
  const weights = new Map<string, number>();
  for (const key of focus) {
    const holding = sets.filter((set) => set.has(key)).length;
    if (holding > 0) weights.set(key, Math.log(1 + sets.length / holding));
  }
  return weights;
}

function scoreOf(
  keys: ReadonlySet<string>,
  figures: string,
  weights: ReadonlyMap<string, number>,
  rank: number,
): number {
  let score = 0;
  for (const [key, weight] of weights) if (keys.has(key)) score += weight;
  // A sentence without a word of the focus may still be what its passage was found for, if it has a figure.
  if (score === 0 && figures === "" && weights.size > 0) return 0.05 / (1 + rank);
  if (figures !== "") score += 0.6;
  // Earlier passages matched the search better; a long sentence holds more words by chance.
  return (score + 0.4) / (1 + 0.06 * rank) / (1 + keys.size / 40);
}

function figuresOf(sentence: string): string {
  return [
    ...findFigures(sentence).map((figure) => String(figure.values[0])),
    ...findDates(sentence).map((date) => date.iso),
  ].join(" ");
}
