import type { Claim } from "../claim.ts";
import { quotedForm } from "../evidence/passage.ts";
import { CJK, countWords, quotesOf, type Quote } from "../text/quotes.ts";

/** Quotes of fewer words are names or terms. */
const MIN_QUOTED_WORDS = 3;

export interface QuoteCheck {
  /** Parts that are verbatim in the evidence: words that were inserted in brackets are none. */
  readonly held: readonly Quote[];
  /** The first one that is not. */
  readonly missing: Quote | undefined;
}

/** Quotes of three words and more have to be verbatim, with case, space and marks folded; `...` splits them. */
export function checkQuotes(claim: Claim): QuoteCheck {
  const { segment, text, isCited, cited, citedTables, evidence } = claim;
  const quotes = quotesOf(text);
  const isBlock = segment.kind === "quote" && quotes.length === 0;
  if (isBlock && segment.marks.length > 0) quotes.push({ words: text, start: 0, end: text.length });
  const near = [
    ...(cited.length > 0 ? cited : evidence.passages),
    ...evidence.given,
    ...(isCited ? citedTables : evidence.tables),
  ];
  const held: Quote[] = [];
  for (const quote of quotes) {
    const isTerm = countWords(quote.words) < MIN_QUOTED_WORDS;
    const scope = isTerm ? [...near, ...evidence.passages, ...evidence.tables] : near;
    if (scope.some(({ verbatim }) => holdsQuote(verbatim, quote.words)))
      held.push(...withoutInserted(quote, text));
    else if (!isTerm) return { held, missing: quote };
  }
  return { held, missing: undefined };
}

const INSERTED = /\[[^\]]{0,80}\]/g;

/** The parts of a quote between its brackets. */
function withoutInserted({ start, end }: Quote, text: string): readonly Quote[] {
  const parts: Quote[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(INSERTED)) {
    const at = start + match.index;
    parts.push({ words: text.slice(from, at), start: from, end: at });
    from = at + match[0].length;
  }
  return [...parts, { words: text.slice(from, end), start: from, end }];
}

/**
 * Whether a text has these words, in this order, with case, space and marks folded. `…`, `...` and words in square
 * brackets leave something out.
 */
export function holdsVerbatim(text: string, words: string): boolean {
  return holdsQuote(quotedForm(text), words);
}

/** As `holdsVerbatim`, for a text in its `quotedForm`: there a space is on both sides of every word and number. */
function holdsQuote(verbatim: string, words: string): boolean {
  const parts = words
    .split(/\[?…\]?|\[?\.\.\.\]?|\[[^\]]{0,80}\]/)
    .map(quotedForm)
    .filter((part) => part !== "");
  // Chinese and Japanese have no spaces between words.
  const isJoined = CJK.test(words);
  const text = isJoined ? verbatim.replaceAll(" ", "") : ` ${verbatim} `;
  let from = 0;
  for (const part of parts) {
    const form = isJoined ? part.replaceAll(" ", "") : ` ${part} `;
    const at = text.indexOf(form, from);
    if (at < 0) return false;
    // The space behind one part may be the one before the next.
    from = at + form.length - (isJoined ? 0 : 1);
  }
  return parts.length > 0;
}
