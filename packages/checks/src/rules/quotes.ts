import type { Claim } from "../claim.ts";
import { quotedForm, type EvidenceText } from "../evidence/passage.ts";
import { quotesOf, type Quote } from "../text/sentences.ts";

/** Quotes of fewer words are names or terms. */
const MIN_QUOTED_WORDS = 3;

export interface QuoteCheck {
  /** Verbatim in the evidence. */
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
    const isTerm = quote.words.split(/\s+/).length < MIN_QUOTED_WORDS;
    const scope = isTerm ? [...near, ...evidence.passages, ...evidence.tables] : near;
    if (scope.some((one) => isVerbatim(quote.words, one))) held.push(quote);
    else if (!isTerm) return { held, missing: quote };
  }
  return { held, missing: undefined };
}

function isVerbatim(words: string, { verbatim }: EvidenceText): boolean {
  return words
    .split(/\[?…\]?|\.\.\.|\[[^\]]{0,80}\]/)
    .map((part) => quotedForm(part).replace(/^[.,\s]+|[.,\s]+$/g, ""))
    .every((part) => verbatim.includes(part));
}
