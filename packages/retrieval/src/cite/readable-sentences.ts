import { splitSentences, type Span } from "@troupe/core/text";

import { words } from "../text/words.ts";
import { leansBack } from "./leaning.ts";
import { injectedSpans, overlapsAny } from "./prompt-injection.ts";

/** Words of a statement that stands without a question: shorter ones say little by themselves. */
const MIN_WORDS = 5;
/** Words of an answer: "Rent is EUR 900." */
export const MIN_ANSWER_WORDS = 3;
const MAX_WORDS = 45;
/** Share of letters: a sentence full of figures has this many, a row of cells fewer. */
const LEAST_LETTERS = 0.4;

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
  let before = 0;
  return splitSentences(passage).flatMap(({ start, end }, index) => {
    const text = passage.slice(start, end);
    const mark = LIST_MARK.exec(text)?.[0].length ?? 0;
    const opens = index === 0 || passage.slice(before, start).includes("\n");
    before = end;
    return isReadable(text.slice(mark), { opens }) && !overlapsAny(injected, { start, end })
      ? [{ start: start + mark, end }]
      : [];
  });
}

export interface Reading {
  /** What follows the sentence, and may lean on it. */
  readonly more?: string;
  /** The fewest words each may have. */
  readonly least?: number;
  /** Nothing stands before it in its paragraph. */
  readonly opens?: boolean;
}

/** Whether a text reads as a statement: whole, of a sensible length, of words rather than cells. */
export function isReadable(sentence: string, { more = "", least = MIN_WORDS, opens }: Reading = {}): boolean {
  if (more === "") return stands(sentence, least, opens);
  if (/^(?:yes|no)[.,!]$/i.test(sentence)) return stands(more, least);
  return (
    stands(sentence, least, opens) &&
    stands(`We ${more}`, least) &&
    words(`${sentence} ${more}`).length <= MAX_WORDS
  );
}

function stands(sentence: string, least: number, opens = false): boolean {
  if (!/[.!]["'”’)]*$/.test(sentence) || /\s\|\s|\.{4,}|…$/.test(sentence)) return false;
  if (!/^["'“‘(]?[\p{Lu}\p{N}€$£]/u.test(sentence)) return false;
  if (
    LETTER.test(sentence) ||
    leansBack(sentence, opens) ||
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
