import { splitSentences, type Span } from "../text/sentences.ts";
import { words } from "../text/words.ts";
import { injectedSpans, overlapsAny } from "./prompt-injection.ts";

/** Words of a statement that stands without a question: shorter ones say little by themselves. */
const MIN_WORDS = 5;
/** Words of an answer: "Rent is EUR 900." */
export const MIN_ANSWER_WORDS = 3;
const MAX_WORDS = 45;
/** Share of letters: a sentence full of figures has this many, a row of cells fewer. */
const LEAST_LETTERS = 0.4;

/** First words that lean on the sentence before. */
const LEANING =
  /^(?:this|that|these|those|it|its|they|their|them|he|she|his|her|such|both|here|there|then|thus|therefore|hence|however|but|and|or|so|also|moreover|furthermore|additionally|instead|otherwise|meanwhile|consequently|nevertheless|[\w-]+ of (?:them|these|those)|similarly|likewise|accordingly|for example|for instance|in addition|as a result|as such|since then|(?:on|in|with|for|at|by|from|after|under|of) (?:this|that|these|those)|the (?:former|latter|above|following|same)|see|e\.g|i\.e)\b/i;
/** Speaks of the document in place of its subject. */
const SELF_REFERRING =
  /\b(?:this|the (?:two|present|earlier|whole|entire)) (?:documents?|reports?|policy|policies|handbook|chapters?|sections?|page|paper|edition|minutes)\b|\bchapters? \d|\bquestions about\b|^(?:it )?(?:replaces|supersedes)\b|^(?:the )?(?:table|list|timeline|figure|chapter|section|register)\b[^.]{0,30} (?:has|lists|shows|gives|sets out|names)\b/i;
/** Points somewhere a reader of the sentence alone cannot look. */
const POINTING =
  /\b(?:(?:as )?(?:shown|described|listed|mentioned|noted|set out|seen) (?:above|below|in (?:table|figure|section|annex|appendix))|the (?:table|figure|chart|list) (?:above|below)|see (?:section|table|figure|annex|appendix|page|chapter)|(?:following|below):?$)/i;

/** The head of a letter that was copied in. */
const LETTER = /^(?:from|to|cc|date|sent|subject):\s|\bdear \p{Lu}\p{L}+,/iu;

/** A list item's bullet or number, with the space after it. */
export const LIST_MARK = /^\s*(?:[-•*–]|\d{1,2}[.)])\s+/;

/**
 * Sentences of a passage that stand on their own: whole, of a sensible length, no heading, no table
 * row, nothing that leans on what was said before, nothing about the document itself, and nothing that
 * prompt injection withholds.
 */
export function readableSentences(passage: string): readonly Span[] {
  const injected = injectedSpans(passage);
  return splitSentences(passage).flatMap(({ start, end }) => {
    const text = passage.slice(start, end);
    const mark = LIST_MARK.exec(text)?.[0].length ?? 0;
    return isReadable(text.slice(mark)) && !overlapsAny(injected, { start, end })
      ? [{ start: start + mark, end }]
      : [];
  });
}

/** Begins with a word that stands for something said before. */
export const leansBack = (sentence: string): boolean => LEANING.test(sentence);

/**
 * Whether a text reads as a statement: whole, of a sensible length, of words rather than cells. What
 * `more` adds to it may lean on it. `least` is the fewest words each may have.
 */
export function isReadable(sentence: string, more = "", least = MIN_WORDS): boolean {
  if (more === "") return stands(sentence, least);
  if (/^(?:yes|no)[.,!]$/i.test(sentence)) return stands(more, least);
  return (
    stands(sentence, least) && stands(`We ${more}`, least) && words(`${sentence} ${more}`).length <= MAX_WORDS
  );
}

function stands(sentence: string, least: number): boolean {
  if (!/[.!]["'”’)]*$/.test(sentence) || /\s\|\s|\.{4,}|…$/.test(sentence)) return false;
  if (!/^["'“‘(]?[\p{Lu}\p{N}€$£]/u.test(sentence)) return false;
  if (
    LETTER.test(sentence) ||
    LEANING.test(sentence) ||
    POINTING.test(sentence) ||
    SELF_REFERRING.test(sentence)
  )
    return false;
  const count = words(sentence).length;
  if (count < least || count > MAX_WORDS) return false;
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0;
  const open = (sentence.match(/\(/g)?.length ?? 0) === (sentence.match(/\)/g)?.length ?? 0);
  return open && letters > sentence.length * LEAST_LETTERS;
}
