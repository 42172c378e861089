import type { Claim } from "../claim.ts";
import { STEM_LENGTH } from "../evidence/evidence.ts";
import type { EvidenceText, Passage } from "../evidence/passage.ts";

const MIN_WORDS = 4;
const MIN_PASSAGES = 3;

/**
 * Another passage that the sentence was taken from, where nothing else could be compared: it shares at least half of
 * the weight of the sentence's words (rare ones weigh more), the cited ones less than a third of that.
 */
export function likelierPassage({ words, cited, evidence }: Claim): Passage | undefined {
  const stems = [
    ...new Set(
      words
        .trim()
        .split(" ")
        .filter((word) => word.length > 3)
        .map((word) => word.slice(0, STEM_LENGTH)),
    ),
  ];
  if (stems.length < MIN_WORDS || evidence.passages.length < MIN_PASSAGES) return undefined;
  const weigh = (stem: string): number =>
    Math.log(1 + evidence.passages.length / (evidence.wordCounts.get(stem) ?? 1));
  const share = (texts: readonly EvidenceText[]): number =>
    stems.reduce(
      (sum, stem) => sum + (texts.some((text) => text.words.includes(` ${stem}`)) ? weigh(stem) : 0),
      0,
    );
  const whole = stems.reduce((sum, stem) => sum + weigh(stem), 0);
  const mine = share(cited);
  let best: Passage | undefined;
  let bestShare = 0;
  for (const passage of evidence.passages) {
    const shared = cited.includes(passage) ? 0 : share([passage]);
    if (shared > bestShare) {
      best = passage;
      bestShare = shared;
    }
  }
  return bestShare > 0.5 * whole && mine < 0.34 * bestShare ? best : undefined;
}
